/* SPDX-License-Identifier: MIT */
/* Locks array ok.
 * expect: race SAFE */
#include <omp.h>
omp_lock_t l[4];
int x[4];
int main(void) {
  for (int i = 0; i < 4; i++)
    omp_init_lock(&l[i]);
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
    int k = i & 3;
    omp_set_lock(&l[k]);
    x[k]++;
    omp_unset_lock(&l[k]);
  }
  return x[0];
}
