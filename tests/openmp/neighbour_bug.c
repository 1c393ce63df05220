/* SPDX-License-Identifier: MIT */
/* each reads what another writes
 * expect: race UNSAFE */
int a[64];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 63; i++)
    a[i] = a[i + 1] + 1;
  return 0;
}
