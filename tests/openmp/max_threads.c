/* SPDX-License-Identifier: MIT */
/* Max threads array.
 * expect: race SAFE */
#include <omp.h>
#include <stdlib.h>
int main(void) {
  int *a = malloc(omp_get_max_threads() * 4);
#pragma omp parallel
  a[omp_get_thread_num()] = 1;
  return 0;
}
