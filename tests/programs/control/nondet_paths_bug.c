/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: one input out of 2^32 takes a path that nobody thought of:
 *   -INT_MIN is negative (wraps in unsigned) */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned magnitude = x < 0 ? 0u - (unsigned)x : (unsigned)x;
  int y = (int)magnitude;
  assert(y >= 0);
  return 0;
}
