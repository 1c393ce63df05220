/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=UNSAFE
 * native: any
 * what: INT_MIN / -1 does not fit */
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int d = __VERIFIER_nondet_int();
  if (d == 0)
    return 0;
  return INT_MIN / d == 5;
}
