/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a variable is changed twice in one expression, in no order: undefined */
#include <assert.h>
int main(void) {
  int i = 1;
  i = i++ + 1;
  assert(i == 2);
  return 0;
}
