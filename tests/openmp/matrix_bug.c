/* SPDX-License-Identifier: MIT */
/* the inner variable is shared
 * expect: race UNSAFE */
double a[8][8], b[8][8], c[8][8];
int main(void) {
  int i, j, k;
#pragma omp parallel for private(j)
  for (i = 0; i < 8; i++)
    for (j = 0; j < 8; j++)
      for (k = 0; k < 8; k++)
        c[i][j] += a[i][k] * b[k][j];
  return 0;
}
