/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: which of two variables lies before the other is open */
#include <assert.h>
#include <stdint.h>
static int first, second;
int main(void) {
  uintptr_t a = (uintptr_t)&first, b = (uintptr_t)&second;
  assert(a < b);
  return 0;
}
