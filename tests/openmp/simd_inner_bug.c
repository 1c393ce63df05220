/* SPDX-License-Identifier: MIT */
/* Simd inner.
 * expect: race UNSAFE */
int a[10][100];
int main(void) {
#pragma omp parallel for
  for (int k = 0; k < 10; k++) {
#pragma omp simd
    for (int i = 1; i < 100; i++)
      a[k][i] = a[k][i - 1] + 1;
  }
  return 0;
}
