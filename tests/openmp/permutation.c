/* SPDX-License-Identifier: MIT */
/* Subscripts that are read from a table without equal elements.
 * expect: race SAFE */
int p[100], a[100];
int main(void) {
  for (int i = 0; i < 100; i++)
    p[i] = (i * 7) % 100;
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    a[p[i]] = i;
  return 0;
}
