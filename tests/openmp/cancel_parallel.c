/* SPDX-License-Identifier: MIT */
/* A region that is cancelled between two loops.
 * expect: race SAFE */
int a[100];
int main(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma omp cancel parallel
#pragma omp for
    for (int i = 0; i < 100; i++)
      a[i] += i;
  }
  return 0;
}
