/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="1 2 3 10 20"
 * what: static locals keep their value, one object for each function and
 *   block */
#include <assert.h>
#include <stdio.h>
static int next(void) {
  static int last;
  return ++last;
}
static int tens(int reset) {
  static int last = 0;
  if (reset) {
    static int last;
    last++;
    return last;
  }
  return last += 10;
}
int main(void) {
  int a = next(), b = next(), c = next(), d = tens(0);
  assert(tens(1) == 1 && tens(1) == 2);
  int e = tens(0);
  assert(a == 1 && b == 2 && c == 3 && d == 10 && e == 20);
  printf("%d %d %d %d %d\n", a, b, c, d, e);
  return 0;
}
