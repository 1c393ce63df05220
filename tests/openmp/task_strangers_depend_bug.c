/* SPDX-License-Identifier: MIT */
/* Dependences of children of different parents order nothing.
 * expect: race UNSAFE */
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
