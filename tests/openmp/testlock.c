/* SPDX-License-Identifier: MIT */
/* Testlock ok.
 * expect: race SAFE */
#include <omp.h>
omp_lock_t l;
int x;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel
  {
    if (omp_test_lock(&l)) {
      x++;
      omp_unset_lock(&l);
    }
  }
  return x;
}
