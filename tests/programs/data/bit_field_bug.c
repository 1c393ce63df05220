/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a one-bit signed field holds 0 and -1, never 1 */
#include <assert.h>
struct state {
  int ready : 1;
  int mode : 2;
};
int main(void) {
  struct state s = {0, 0};
  s.ready = 1;
  assert(s.ready != 0);
  assert(s.ready == 1);
  return 0;
}
