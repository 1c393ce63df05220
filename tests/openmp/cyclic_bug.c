/* SPDX-License-Identifier: MIT */
/* … and a look at the next one.
 * expect: race UNSAFE */
#include <omp.h>
int a[1001];
int main(void) {
#pragma omp parallel
  {
    int t = omp_get_thread_num(), n = omp_get_num_threads();
    for (int i = t; i < 1000; i += n)
      a[i] = a[i + 1];
  }
  return a[3];
}
