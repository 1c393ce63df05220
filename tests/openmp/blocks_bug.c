/* SPDX-License-Identifier: MIT */
/* The block of the round before is still in use.
 * expect: race UNSAFE */
#include <stdlib.h>
int main(void) {
#pragma omp parallel
#pragma omp single
  {
    int *before = NULL;
    for (int c = 0; c < 10; c++) {
      int *next = malloc(sizeof *next);
      *next = c;
      if (before)
        *before = 1;
#pragma omp task firstprivate(next)
      *next += 1;
      before = next;
    }
  }
  return 0;
}
