/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: what is made of two calls meets, and one changes what the other reads */
#include <assert.h>
static int level;
static int raise(void) { level = 1; return 0; }
static int look(void) { return level; }
int main(void) {
  assert((raise() + 1) * look() == 1);
  return 0;
}
