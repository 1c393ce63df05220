/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: arguments are evaluated in any order, and these count */
#include <assert.h>
static int ticket;
static int next(void) { return ++ticket; }
static int before(int a, int b) { return a < b; }
int main(void) {
  assert(before(next(), next()));
  return 0;
}
