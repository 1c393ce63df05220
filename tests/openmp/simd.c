/* SPDX-License-Identifier: MIT */
/* Simd ok.
 * expect: race SAFE */
int a[100], b[100];
int main(void) {
#pragma omp simd
  for (int i = 1; i < 100; i++)
    a[i] = b[i - 1] + 1;
  return 0;
}
