/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: every path of a decision tree over an input ends in a value that
 *   fits it */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), r;
  if (x < 0)
    r = x == -2147483647 - 1 ? 1 : 2;
  else if (x < 10)
    r = 3;
  else
    switch (x % 4) {
    case 0:
      r = 4;
      break;
    case 1:
    case 2:
      r = 5;
      break;
    default:
      r = 6;
    }
  assert(r >= 1 && r <= 6);
  assert((r == 3) == (x >= 0 && x < 10));
  if (r == 5)
    assert(x % 4 == 1 || x % 4 == 2);
  return 0;
}
