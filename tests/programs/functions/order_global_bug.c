/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a variable is read before or after the call that changes it */
#include <assert.h>
static int total = 1;
static void bump(int by) { total += by; }
static int add(int by) {
  bump(by);
  return by;
}
int main(void) {
  int sum = total + add(2);
  assert(sum == 3);
  return 0;
}
