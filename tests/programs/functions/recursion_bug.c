/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: fib with a wrong base case */
#include <assert.h>
static int fib(int n) {
  return n <= 2 ? 1 : fib(n - 1) + fib(n - 2);
}
int main(void) {
  assert(fib(6) == 8);
  assert(fib(0) == 0);
  return 0;
}
