/* SPDX-License-Identifier: MIT */
/* Each thread has settings of its own, once it has changed them.
 * expect: race UNSAFE */
#include <omp.h>
int a[10];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int t = omp_get_thread_num();
    omp_set_num_threads(7 + t);
    a[omp_get_max_threads() - t] = t;
  }
  return 0;
}
