/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="1 5 7 12 12 100"
 * what: switch with fall through, default in the middle, negative and
 *   large case labels, ranges */
#include <assert.h>
#include <stdio.h>
static int f(long v) {
  int r = 0;
  switch (v) {
  case -1:
    r = 1;
    break;
  case 3:
    r = 2; /* falls through */
  default:
    r += 5;
    break;
  case 1L << 40:
    r = 7;
    break;
  case 10 ... 20:
    r = 12;
  }
  return r;
}
int main(void) {
  assert(f(3) == 7 && f(99) == 5);
  switch (f(15)) {
  case 12: {
    int k = 100;
    printf("%d %d %d %d %d %d\n", f(-1), f(0), f(1L << 40), f(10), f(20), k);
  }
  }
  return 0;
}
