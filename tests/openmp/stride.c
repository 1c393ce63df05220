/* SPDX-License-Identifier: MIT */
/* Stride apart.
 * expect: race SAFE */
int a[300];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
    a[2 * i] = 1;
    a[2 * i + 1] = 2;
  }
  return 0;
}
