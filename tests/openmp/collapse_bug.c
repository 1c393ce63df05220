/* SPDX-License-Identifier: MIT */
/* … writing a line
 * expect: race UNSAFE */
int a[6];
int main(void) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 9; j++)
      a[i] = i + j;
  return 0;
}
