/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: just behind one object another one may begin (C17 6.5.9) */
#include <assert.h>
static int row[2], next[2];
int main(void) {
  int *end = row + 2;
  assert(end != next);
  return 0;
}
