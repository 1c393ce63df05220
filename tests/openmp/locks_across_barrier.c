/* SPDX-License-Identifier: MIT */
/* Two locks go from hand to hand.
 * expect: race SAFE */
#include <omp.h>
omp_lock_t one, other;
int x;
int main(void) {
  omp_init_lock(&one);
  omp_init_lock(&other);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    if (me == 0)
      omp_set_lock(&one);
#pragma omp barrier
    if (me == 0) {
      x = 1;
      omp_unset_lock(&one);
    } else {
      omp_set_lock(&one);
      x = 2;
      omp_unset_lock(&one);
    }
  }
  return x;
}
