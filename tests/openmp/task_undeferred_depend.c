/* SPDX-License-Identifier: MIT */
/* A task that is executed at once waits for what it depends on.
 * expect: race SAFE */
#include <stdio.h>
void foo(void) {
  int x = 0, y = 2;
#pragma omp task depend(inout : x) shared(x)
  x++;
#pragma omp task shared(y)
  y--;
#pragma omp task depend(in : x) if (0)
  {
  }
  printf("x=%d\n", x);
#pragma omp taskwait
  printf("y=%d\n", y);
}
int main(void) {
#pragma omp parallel
#pragma omp single
  foo();
  return 0;
}
