/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: one round too many */
#include <assert.h>
#include <heddle.h>
int main(void) {
  int n = heddle_nondet_int(0, 1000), i = 0;
  while (i <= n)
    i++;
  assert(i == n);
  return 0;
}
