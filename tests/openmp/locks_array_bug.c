/* SPDX-License-Identifier: MIT */
/* Locks array.
 * expect: race UNSAFE */
#include <omp.h>
omp_lock_t l[4];
int x;
int main(void) {
  for (int i = 0; i < 4; i++)
    omp_init_lock(&l[i]);
#pragma omp parallel for
  for (int i = 0; i < 4; i++) {
    omp_set_lock(&l[i]);
    x++;
    omp_unset_lock(&l[i]);
  }
  return x;
}
