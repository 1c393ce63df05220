/* SPDX-License-Identifier: MIT */
/* A tree of tasks that waits for its children.
 * expect: race SAFE */
int fib(int n) {
  int i, j;
  if (n < 2)
    return n;
#pragma omp task shared(i) firstprivate(n)
  i = fib(n - 1);
#pragma omp task shared(j) firstprivate(n)
  j = fib(n - 2);
#pragma omp taskwait
  return i + j;
}
int main(void) {
  int r;
#pragma omp parallel
#pragma omp single
  r = fib(10);
  return r > 100;
}
