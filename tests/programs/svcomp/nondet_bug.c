/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the assumption leaves one bad value */
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main() {
  unsigned char c = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(c % 2 == 1 && c > 250);
  assert((unsigned char)(c + 1) != 0);
  return 0;
}
