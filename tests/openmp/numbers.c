/* SPDX-License-Identifier: MIT */
/* a place for each thread
 * expect: race SAFE */
#include <omp.h>
int a[64];
int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me < 64)
      a[me] = me;
  }
  return 0;
}
