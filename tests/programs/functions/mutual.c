/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="1 0"
 * what: mutual recursion through a prototype */
#include <assert.h>
#include <stdio.h>
static int odd(unsigned n);
static int even(unsigned n) {
  return n == 0 ? 1 : odd(n - 1);
}
static int odd(unsigned n) {
  return n == 0 ? 0 : even(n - 1);
}
int main(void) {
  assert(even(6) && !odd(4) && odd(7));
  printf("%d %d\n", even(10), even(9));
  return 0;
}
