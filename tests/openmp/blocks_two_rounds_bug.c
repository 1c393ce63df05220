/* SPDX-License-Identifier: MIT */
/* One block for two rounds.
 * expect: race UNSAFE */
#include <stdlib.h>
int main(void) {
#pragma omp parallel
#pragma omp single
  {
    int *block = NULL;
    for (int c = 0; c < 10; c++) {
      if (c % 2 == 0)
        block = malloc(sizeof *block);
#pragma omp task firstprivate(block)
      *block = 1;
    }
  }
  return 0;
}
