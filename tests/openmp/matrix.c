/* SPDX-License-Identifier: MIT */
/* a product of matrices
 * expect: race SAFE */
double a[12][12], b[12][12], c[12][12];
int main(void) {
  int i, j, k;
#pragma omp parallel for private(j, k)
  for (i = 0; i < 12; i++)
    for (j = 0; j < 12; j++)
      for (k = 0; k < 12; k++)
        c[i][j] += a[i][k] * b[k][j];
  return 0;
}
