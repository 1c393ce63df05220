/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: two counters go up together */
#include <assert.h>
#include <heddle.h>
int main(void) {
  int n = heddle_nondet_int(0, 1000), i = 0, j = 0;
  while (i < n) {
    i++;
    j++;
  }
  assert(i == j);
  assert(j == n);
  return 0;
}
