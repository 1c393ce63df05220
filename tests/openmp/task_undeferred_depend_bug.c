/* SPDX-License-Identifier: MIT */
/* … and for nothing else.
 * expect: race UNSAFE */
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
  printf("y=%d\n", y);
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel
#pragma omp single
  foo();
  return 0;
}
