/* SPDX-License-Identifier: MIT */
/* What is the same for all on each way is not the same for all behind them.
 * expect: race UNSAFE */
#include <omp.h>
int y;
int main(void) {
#pragma omp parallel
  {
    int i = 1;
    if (omp_get_thread_num() == 0)
      i = 2;
#pragma omp barrier
    if (i == 1)
      y = 1;
    if (i == 2)
      y = 2;
  }
  return 0;
}
