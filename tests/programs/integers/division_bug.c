/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE arith=UNSAFE
 * native: any
 * what: the average of none: division by a count that may be zero */
#include <heddle.h>
int main(void) {
  int n = heddle_nondet_int(0, 3), sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum / n > 1;
}
