/* SPDX-License-Identifier: MIT */
/* A child that its parent waits for.
 * expect: race SAFE */
#include <stdio.h>
void foo(void) {
  int a = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : a) shared(a)
    {
#pragma omp task depend(inout : a) shared(a)
      a++;
#pragma omp taskwait
    }
#pragma omp task depend(inout : a) shared(a)
    {
#pragma omp task depend(inout : a) shared(a)
      a++;
    }
  }
  printf("%d\n", a);
}
int main(void) { foo(); return 0; }
