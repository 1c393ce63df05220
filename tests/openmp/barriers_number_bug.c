/* SPDX-License-Identifier: MIT */
/* The number of the thread on one way, the same for all on the other.
 * expect: race UNSAFE */
#include <omp.h>
int a[100];
int main(void) {
#pragma omp parallel
  {
    int i = omp_get_thread_num();
    if (i > 0)
      i = 1;
#pragma omp barrier
    a[i] = i;
  }
  return 0;
}
