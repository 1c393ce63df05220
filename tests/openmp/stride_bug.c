/* SPDX-License-Identifier: MIT */
/* Stride overlap.
 * expect: race UNSAFE */
int a[300];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
    a[2 * i] = 1;
    a[3 * i] = 2;
  }
  return 0;
}
