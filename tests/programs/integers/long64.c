/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * options: --64
 * what: the data model of 64-bit machines */
#include <assert.h>
int main(void) {
  assert(sizeof(long) == 8 && sizeof(void *) == 8);
  struct {
    char c;
    long long v;
  } s;
  assert(sizeof s == 16 && (char *)&s.v - (char *)&s == 8);
  unsigned long x = 1;
  assert(x << 40 == 1099511627776ul);
  return 0;
}
