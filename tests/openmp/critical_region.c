/* SPDX-License-Identifier: MIT */
/* A region inside a critical region.
 * expect: race SAFE */
#include <stdio.h>
int main(void) {
  int i = 1;
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp critical(name)
      {
#pragma omp parallel
        {
#pragma omp single
          { i++; }
        }
      }
    }
  }
  printf("%d\n", i);
  return 0;
}
