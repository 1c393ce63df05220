/* SPDX-License-Identifier: MIT */
/* A variable of the one who creates the task.
 * expect: race UNSAFE */
#include <stdio.h>
int main(void) {
#pragma omp parallel
#pragma omp single
  {
    int x = 1;
#pragma omp task shared(x)
    x = 2;
    x = 3;
#pragma omp taskwait
    printf("%d\n", x);
  }
  return 0;
}
