/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: what holds between arguments holds in the function */
#include <assert.h>
#include <heddle.h>
static int width(int from, int to) {
  int n = 0;
  assert(from <= to);
  while (from < to) {
    from++;
    n++;
  }
  return n;
}
int main(void) {
  int a = heddle_nondet_int(0, 1000), b = heddle_nondet_int(0, 1000);
  if (a > b)
    return 0;
  return width(a, b) < 0;
}
