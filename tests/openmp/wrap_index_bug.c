/* SPDX-License-Identifier: MIT */
/* … and so are two of the bits that choose an element.
 * expect: race UNSAFE */
int h[64];
int main(void) {
#pragma omp parallel for
  for (unsigned long i = 0; i < 100; i++)
    h[(i * 0x1E3779B97F4A7C15ul) >> 58] = 1;
  return 0;
}
