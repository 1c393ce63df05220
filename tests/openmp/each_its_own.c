/* SPDX-License-Identifier: MIT */
/* each iteration has its own element
 * expect: race SAFE */
int a[64], b[64];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    a[i] = b[i] + 1;
  return 0;
}
