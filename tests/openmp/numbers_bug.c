/* SPDX-License-Identifier: MIT */
/* … and the place of the next
 * expect: race UNSAFE */
#include <omp.h>
int a[64];
int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me < 63) {
      a[me] = me;
      a[me + 1] = 0;
    }
  }
  return 0;
}
