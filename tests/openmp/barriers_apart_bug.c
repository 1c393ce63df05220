/* SPDX-License-Identifier: MIT */
/* The barriers of the two are not the same ones.
 * expect: race UNSAFE */
#include <omp.h>
int x;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp barrier
      x = 1;
    } else {
#pragma omp barrier
      x = 2;
    }
  }
  return 0;
}
