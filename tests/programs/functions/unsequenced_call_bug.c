/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: an argument changes what another one reads, in no order */
#include <assert.h>
static int minus(int a, int b) {
  return a - b;
}
int main(void) {
  int i = 1;
  assert(minus(i++, i) == -1);
  return 0;
}
