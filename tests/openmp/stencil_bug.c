/* SPDX-License-Identifier: MIT */
/* … and with one
 * expect: race UNSAFE */
double a[66];
int main(void) {
#pragma omp parallel for
  for (int i = 1; i < 65; i++)
    a[i] = (a[i - 1] + a[i + 1]) / 2;
  return 0;
}
