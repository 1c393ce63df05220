/* SPDX-License-Identifier: MIT */
/* Tid array.
 * expect: race SAFE */
#include <omp.h>
int a[1000];
int main(void) {
#pragma omp parallel
  {
    int t = omp_get_thread_num();
    if (t < 1000)
      a[t] = t;
  }
  return 0;
}
