/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="120 13 7"
 * what: factorial, Fibonacci and Ackermann: direct recursion with small
 *   arguments */
#include <assert.h>
#include <stdio.h>
static int fact(int n) {
  return n <= 1 ? 1 : n * fact(n - 1);
}
static int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static int ack(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
int main(void) {
  assert(fact(5) == 120 && fib(7) == 13 && ack(2, 2) == 7);
  printf("%d %d %d\n", fact(5), fib(7), ack(2, 2));
  return 0;
}
