/* SPDX-License-Identifier: MIT */
/* the inner loop is shared out
 * expect: race SAFE */
int b[12][12];
int main(void) {
  for (int i = 1; i < 12; i++)
#pragma omp parallel for
    for (int j = 1; j < 12; j++)
      b[i][j] = b[i - 1][j - 1];
  return 0;
}
