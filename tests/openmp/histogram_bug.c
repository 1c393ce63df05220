/* SPDX-License-Identifier: MIT */
/* without them
 * expect: race UNSAFE */
int h[8], a[64];
int main(void) {
  for (int i = 0; i < 64; i++)
    a[i] = i * 7 % 8;
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    h[a[i]]++;
  return 0;
}
