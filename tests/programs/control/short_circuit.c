/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="3"
 * what: && and "or" do not evaluate their right side when the left one
 *   decides */
#include <assert.h>
#include <stdio.h>
static int calls;
static int yes(void) {
  calls++;
  return 1;
}
static int no(void) {
  calls++;
  return 0;
}
int main(void) {
  int *p = 0, x = 5;
  if (p && *p == 3)
    return 1;
  if (!p || *p == 3)
    x++;
  int a = no() && yes();
  int b = yes() || no();
  int c = (x > 5 && b) ? (a ? 1 : 2) : yes();
  int d = !(a || !b) & (c == 2);
  assert(x == 6 && a == 0 && b == 1 && c == 2 && d == 1);
  assert(calls == 2);
  printf("%d\n", calls + d);
  return 0;
}
