/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a weak compare-and-swap may fail without a reason, one attempt is
 *   not enough */
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;
int main(void) {
  int zero = 0;
  if (!atomic_compare_exchange_weak(&x, &zero, 1))
    assert(zero != 0);
  return 0;
}
