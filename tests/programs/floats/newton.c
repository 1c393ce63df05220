/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="1.414214"
 * what: square root by Newton's iteration ends */
#include <assert.h>
#include <stdio.h>
static double root(double x) {
  double r = x, last = 0;
  for (int i = 0; i < 50 && r != last; i++) {
    last = r;
    r = (r + x / r) / 2;
  }
  return r;
}
int main(void) {
  double r = root(2);
  assert(r * r > 1.9999999 && r * r < 2.0000001);
  printf("%f\n", r);
  return 0;
}
