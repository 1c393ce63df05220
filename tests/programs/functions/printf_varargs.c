/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="c=x s=abc d=-3 u=4294967295 ld=-5000000000 hx=ff p%=1.50 w=[    7]"
 * what: printf with all the usual kinds of arguments */
#include <stdio.h>
int main(void) {
  printf("c=%c s=%s d=%d u=%u ld=%ld hx=%x p%%=%.2f w=[%5d]\n", 'x', "abc", -3,
         -1u, -5000000000L, 0xff, 1.5, 7);
  return 0;
}
