/* SPDX-License-Identifier: MIT */
/* The product is beyond 64 bits.
 * expect: race UNSAFE */
int x;
int main(void) {
#pragma omp parallel for
  for (unsigned long i = 0; i < 100; i++)
    if ((long)(i * 0x1E3779B97F4A7C15ul) < 0)
      x = 1;
  return 0;
}
