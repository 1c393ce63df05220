/* SPDX-License-Identifier: MIT */
/* … and with equal ones.
 * expect: race UNSAFE */
int p[100], a[100];
int main(void) {
  for (int i = 0; i < 100; i++)
    p[i] = (i * 8) % 100;
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    a[p[i]] = i;
  return 0;
}
