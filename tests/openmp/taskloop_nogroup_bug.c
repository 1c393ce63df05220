/* SPDX-License-Identifier: MIT */
/* Nobody waits for the first loop.
 * expect: race UNSAFE */
int a[100], b[100];
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop nogroup
    for (int k = 0; k < 100; k++)
      a[k] = k;
#pragma omp taskloop
    for (int k = 0; k < 100; k++)
      b[k] = a[99 - k];
  }
  return 0;
}
