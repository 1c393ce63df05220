/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="abcdefghijk"
 * what: Duff's device: a do-while inside a switch */
#include <assert.h>
#include <stdio.h>
static void copy(char *to, const char *from, int count) {
  int n = (count + 3) / 4;
  switch (count % 4) {
  case 0:
    do {
      *to++ = *from++;
    case 3:
      *to++ = *from++;
    case 2:
      *to++ = *from++;
    case 1:
      *to++ = *from++;
    } while (--n > 0);
  }
}
int main(void) {
  char a[12] = "abcdefghijk", b[12];
  copy(b, a, 12);
  assert(b[0] == 'a' && b[10] == 'k' && b[11] == 0);
  puts(b);
  return 0;
}
