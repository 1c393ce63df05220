/* SPDX-License-Identifier: MIT */
/* One dependence is missing.
 * expect: race UNSAFE */
#include <stdio.h>
int fib(int n) {
  int i, j, s;
  if (n < 2) return n;
#pragma omp task shared(i) depend(out : i)
  i = fib(n - 1);
#pragma omp task shared(j) depend(out : j)
  j = fib(n - 2);
#pragma omp task shared(i, j, s) firstprivate(n) depend(in : i)
  s = i + j;
#pragma omp taskwait
  return s;
}
int main(void) {
  int n = 10;
#pragma omp parallel sections
  {
#pragma omp section
    printf("fib(%d)=%d\n", n, fib(n));
  }
  return 0;
}
