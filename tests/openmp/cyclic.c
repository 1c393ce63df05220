/* SPDX-License-Identifier: MIT */
/* Iterations by hand: every n-th one, whatever the size of the team.
 * expect: race SAFE */
#include <omp.h>
int a[1000];
int main(void) {
#pragma omp parallel
  {
    int t = omp_get_thread_num(), n = omp_get_num_threads();
    for (int i = t; i < 1000; i += n)
      a[i] = i;
  }
  return a[3];
}
