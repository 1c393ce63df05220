/* SPDX-License-Identifier: MIT */
/* Who has the first iteration need not have the first section (runs share out both alike).
 * expect: race UNKNOWN */
int a[4], s;
int main(void) {
#pragma omp parallel
  {
#pragma omp for nowait schedule(static)
    for (int i = 0; i < 2; i++)
      a[i] = 1;
#pragma omp sections
    {
#pragma omp section
      a[0] = 2;
#pragma omp section
      a[1] = 2;
    }
  }
  return 0;
}
