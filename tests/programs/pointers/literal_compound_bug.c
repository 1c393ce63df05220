/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: two compound literals of a constant type, and one of a string, may be the same
 *   object (C17 6.5.2.5) */
#include <assert.h>
int main(void) {
  const int *p = (const int[]){1, 2}, *q = (const int[]){1, 2};
  const char *s = "abc", *t = (const char[]){"abc"};
  assert(p != q);
  assert(s != t);
  return 0;
}
