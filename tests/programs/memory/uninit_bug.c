/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE uninit=UNSAFE
 * native: any
 * what: one path leaves the variable without a value */
#include <heddle.h>
int main(void) {
  int kind = heddle_nondet_int(0, 2), cost;
  if (kind == 0)
    cost = 1;
  else if (kind == 1)
    cost = 2;
  if (cost > 1)
    return 3;
  return 0;
}
