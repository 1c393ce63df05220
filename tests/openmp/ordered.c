/* SPDX-License-Identifier: MIT */
/* Ordered ok.
 * expect: race SAFE */
int a[100], s;
int main(void) {
#pragma omp parallel for ordered
  for (int i = 0; i < 100; i++) {
    a[i] = i;
#pragma omp ordered
    s += a[i];
  }
  return s;
}
