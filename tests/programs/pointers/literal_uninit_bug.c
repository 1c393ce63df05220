/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE uninit=SAFE
 * native: any
 * what: whether two literals are one is open also for who looks for values that were
 *   never set */
#include <assert.h>
int main(void) {
  const char *s = "abc";
  assert(s != "abc");
  return 0;
}
