/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: behind the loop the counter is the bound, whatever that is */
#include <assert.h>
#include <heddle.h>
int main(void) {
  int n = heddle_nondet_int(0, 1000), i = 0;
  while (i < n)
    i++;
  assert(i == n);
  return 0;
}
