/* SPDX-License-Identifier: MIT */
/* Nested on.
 * expect: race UNSAFE */
#include <omp.h>
int x;
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(1)
  {
#pragma omp parallel
    x++;
  }
  return x;
}
