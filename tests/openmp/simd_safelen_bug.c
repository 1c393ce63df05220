/* SPDX-License-Identifier: MIT */
/* Simd safelen.
 * expect: race UNSAFE */
int a[100];
int main(void) {
#pragma omp simd safelen(5)
  for (int i = 4; i < 100; i++)
    a[i] = a[i - 4] + 1;
  return 0;
}
