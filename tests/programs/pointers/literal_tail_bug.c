/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a string literal may lie in the end of another one */
#include <assert.h>
static int is_inside(const char *whole, int at, const char *part) {
  return whole + at == part;
}
int main(void) {
  assert(!is_inside("unlocked", 2, "locked"));
  return 0;
}
