/* SPDX-License-Identifier: MIT */
/* Tasks in the order of their dependences, each with tasks of its own.
 * expect: race SAFE */
#include <stdio.h>
int fib(int n) {
  int i, j, s;
  if (n < 2) return n;
#pragma omp task shared(i) depend(out : i)
  i = fib(n - 1);
#pragma omp task shared(j) depend(out : j)
  j = fib(n - 2);
#pragma omp task shared(i, j) depend(in : i, j)
  s = i + j;
#pragma omp taskwait
  return i + j;
}
int main(void) {
  int n = 10;
#pragma omp parallel sections
  {
#pragma omp section
    {
      int f = fib(n);
      printf("fib(%d)=%d\n", n, f);
    }
  }
  return 0;
}
