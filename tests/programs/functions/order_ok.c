/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: && and the comma have an order; calls that share nothing need none */
#include <assert.h>
static int left, right;
static int first(void) { return ++left; }
static int second(void) { return ++right; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
  int sum = first() + second();
  assert(sum == 2);
  int both = first() == 2 && first() == 3;
  assert(both);
  sum = (first(), left);
  assert(sum == 4);
  assert(fib(5) == 5);
  return 0;
}
