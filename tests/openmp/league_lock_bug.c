/* SPDX-License-Identifier: MIT */
/* A lock does not exclude the other teams of a league.
 * expect: race UNSAFE */
#include <omp.h>
int main(void) {
  int var = 0, i;
  omp_lock_t lck;
  omp_init_lock(&lck);
#pragma omp target map(tofrom : var) device(0)
#pragma omp teams distribute parallel for
  for (i = 0; i < 100; i++) {
    omp_set_lock(&lck);
    var++;
    omp_unset_lock(&lck);
  }
  omp_destroy_lock(&lck);
  return 0;
}
