/* SPDX-License-Identifier: MIT */
/* Nestlock ok.
 * expect: race SAFE */
#include <omp.h>
omp_nest_lock_t l;
int x;
void f(void) {
  omp_set_nest_lock(&l);
  x++;
  omp_unset_nest_lock(&l);
}
int main(void) {
  omp_init_nest_lock(&l);
#pragma omp parallel
  {
    omp_set_nest_lock(&l);
    f();
    x++;
    omp_unset_nest_lock(&l);
  }
  return x;
}
