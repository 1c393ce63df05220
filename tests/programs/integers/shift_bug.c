/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE arith=UNSAFE
 * native: any
 * what: the count can be the width */
#include <heddle.h>
int main(void) {
  int n = heddle_nondet_int(0, 32);
  unsigned mask = 1u << n;
  return mask == 0 && n > 40;
}
