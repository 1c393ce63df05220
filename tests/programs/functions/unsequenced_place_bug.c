/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: one element is changed twice in an expression, under two names; undefined */
#include <assert.h>
int main(void) {
  int all[2] = {0, 0}, i = 1, j = 1;
  int sum = all[i]++ + all[j]++;
  assert(sum == 1 && all[1] == 2);
  return 0;
}
