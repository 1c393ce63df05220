/* SPDX-License-Identifier: MIT */
/* The one has the lock, the other the turn; in runs it waits by turning round.
 * expect: deadlock UNKNOWN */
#include <omp.h>
int x;
omp_lock_t l;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 10; i++) {
    omp_set_lock(&l);
#pragma omp ordered
    x++;
    omp_unset_lock(&l);
  }
  return 0;
}
