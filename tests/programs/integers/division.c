/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE arith=SAFE
 * native: exit=0
 * what: division and remainder truncate towards zero; the divisor is
 *   guarded */
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
static int divide(int a, int b) {
  return b == 0 || (a == INT_MIN && b == -1) ? 0 : a / b;
}
int main(void) {
  assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1 &&
         -7u / 2 == 2147483644u);
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int q = divide(a, b);
  if (b > 1 && a > 0)
    assert(q < a);
  if (b == 1)
    assert(q == a);
  return 0;
}
