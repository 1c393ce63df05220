/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: comparing a signed with an unsigned number: a negative index
 *   passes as large */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int();
  unsigned limit = 10;
  if (i > 100)
    return 0;
  if (i < limit)
    assert(i >= 0);
  else
    assert(i >= 10);
  return 0;
}
