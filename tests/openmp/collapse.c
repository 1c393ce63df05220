/* SPDX-License-Identifier: MIT */
/* two loops as one
 * expect: race SAFE */
int a[6][9];
int main(void) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 9; j++)
      a[i][j] = i + j;
  return 0;
}
