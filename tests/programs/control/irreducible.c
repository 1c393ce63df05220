/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="14 9"
 * what: a loop with two entries: goto into the middle of it */
#include <assert.h>
#include <stdio.h>
static int walk(int second, int n) {
  int cost = 0;
  if (second)
    goto middle;
top:
  cost += 2;
  n--;
middle:
  cost += 1;
  if (n > 0)
    goto top;
  return cost;
}
int main(void) {
  int a = walk(0, 4) + 2, b = walk(1, 3) - 1;
  assert(a == 14 && b == 9);
  printf("%d %d\n", a, b);
  return 0;
}
