/* SPDX-License-Identifier: MIT */
/* The threads of an inner team are others than those of the outer one, but for the
 * first: their variables are 0.
 * expect: race UNSAFE */
#include <omp.h>
int t, a[4];
#pragma omp threadprivate(t)
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    t = omp_get_thread_num() + 1;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
      a[t] = 2;
  }
  return 0;
}
