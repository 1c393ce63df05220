/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a table that is indexed by an address */
#include <assert.h>
#include <stdint.h>
static int table[16];
int main(void) {
  int variable;
  uintptr_t hash = ((uintptr_t)&variable >> 4) % 16;
  table[hash]++;
  assert(table[0] == 1);
  return 0;
}
