/* SPDX-License-Identifier: MIT */
/* Ordered outside.
 * expect: race UNSAFE */
int a[100], s;
int main(void) {
#pragma omp parallel for ordered
  for (int i = 1; i < 100; i++) {
    a[i] = s;
#pragma omp ordered
    s += a[i];
  }
  return s;
}
