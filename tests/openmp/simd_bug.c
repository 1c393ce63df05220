/* SPDX-License-Identifier: MIT */
/* Simd dep.
 * expect: race UNSAFE */
int a[100];
int main(void) {
#pragma omp simd
  for (int i = 1; i < 100; i++)
    a[i] = a[i - 1] + 1;
  return 0;
}
