/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="ok"
 * what: memcpy, memset, memmove with overlap, memcmp, memchr */
#include <assert.h>
#include <stdio.h>
#include <string.h>
struct s {
  int a;
  char c[4];
};
int main(void) {
  char b[8] = "abcdefg";
  memmove(b + 2, b, 5);
  assert(memcmp(b, "ababcde", 8) == 0);
  memmove(b, b + 2, 5);
  assert(memcmp(b, "abcde", 5) == 0 && b[5] == 'd');
  memset(b, 'z', 3);
  assert(b[2] == 'z' && b[3] == 'd' && memchr(b, 'd', 8) == b + 3 &&
         memchr(b, 'q', 8) == 0);
  struct s x = {5, "xyz"}, y;
  memcpy(&y, &x, sizeof x);
  assert(y.a == 5 && y.c[2] == 'z');
  memset(&y, 0, sizeof y);
  assert(y.a == 0 && y.c[0] == 0);
  int v[3];
  memset(v, 0xff, sizeof v);
  assert(v[1] == -1 && memcmp("a", "b", 1) < 0 &&
         memcmp("\xff", "\x01", 1) > 0);
  puts("ok");
  return 0;
}
