/* SPDX-License-Identifier: MIT */
/* Iterations by hand: one part each, whatever the size of the team.
 * expect: race SAFE */
#include <omp.h>
int a[1000];
int main(void) {
#pragma omp parallel
  {
    int t = omp_get_thread_num(), n = omp_get_num_threads();
    int lo = 1000 / n * t, hi = t == n - 1 ? 1000 : 1000 / n * (t + 1);
    for (int i = lo; i < hi; i++)
      a[i] = i;
  }
  return a[3];
}
