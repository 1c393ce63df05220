/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * options: --32
 * what: right with 64-bit long, wrong with 32-bit: the shifted bit falls
 *   out */
#include <assert.h>
int main(void) {
  unsigned long bytes = 3;
  for (int i = 0; i < 31; i++)
    bytes *= 2;
  assert(bytes / 3 == 1ul << 31);
  return 0;
}
