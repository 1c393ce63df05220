/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: the callee changes its own copy of the struct, the caller expects
 *   its own to change */
#include <assert.h>
struct counter {
  int hits;
  int limit;
};
static void hit(struct counter c) {
  c.hits++;
}
int main(void) {
  struct counter c = {0, 3};
  hit(c);
  assert(c.hits == 1);
  return 0;
}
