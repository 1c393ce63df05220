/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=UNSAFE
 * native: any
 * what: the remainder of the smallest number by -1 is an overflow */
#include <limits.h>
int main(void) {
  volatile long x = LONG_MIN, y = -1;
  return x % y != 0;
}
