/* SPDX-License-Identifier: MIT */
/* a sum without a reduction
 * expect: race UNSAFE */
int a[32], s;
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 32; i++)
    s += a[i];
  return s;
}
