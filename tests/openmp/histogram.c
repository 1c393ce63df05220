/* SPDX-License-Identifier: MIT */
/* a histogram with atomics
 * expect: race SAFE */
int h[8], a[64];
int main(void) {
  for (int i = 0; i < 64; i++)
    a[i] = i * 7 % 8;
#pragma omp parallel for
  for (int i = 0; i < 64; i++) {
#pragma omp atomic
    h[a[i]]++;
  }
  return 0;
}
