/* SPDX-License-Identifier: MIT */
/* Tid array off.
 * expect: race UNSAFE */
#include <omp.h>
int a[1001];
int main(void) {
#pragma omp parallel
  {
    int t = omp_get_thread_num();
    if (t < 1000)
      a[t] = a[t + 1];
  }
  return 0;
}
