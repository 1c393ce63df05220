/* SPDX-License-Identifier: MIT */
/* Simd private missing.
 * expect: race UNSAFE */
int a[100], t;
int main(void) {
#pragma omp simd
  for (int i = 1; i < 100; i++) {
    t = i;
    a[i] = t;
  }
  return 0;
}
