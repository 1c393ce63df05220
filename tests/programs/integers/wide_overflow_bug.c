/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=UNSAFE arith=SAFE
 * native: any
 * what: a product of 128 bits that does not fit by one */
#include <assert.h>

typedef __int128 wide;

int main(void) {
  wide most = (wide)1 << 126;
  wide fits = -most * 2; /* the least number there is */
  assert(fits < 0);
  return most * 2 > 0;
}
