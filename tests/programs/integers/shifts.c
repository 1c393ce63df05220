/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE arith=SAFE
 * native: exit=0
 * what: shifts by all counts below the width; arithmetic shift of negative
 *   numbers */
#include <assert.h>
#include <heddle.h>
int main(void) {
  int n = heddle_nondet_int(0, 31);
  unsigned one = 1u << n;
  assert(one != 0 && (one & (one - 1)) == 0);
  assert(one >> n == 1);
  assert(-1 >> n == -1 && (-5 >> 1) == -3 && (5 >> 1) == 2);
  long long big = 1LL << (n + 31);
  assert(big > 0 && big >> (n + 31) == 1);
  return 0;
}
