/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the size of the pointer's target is taken from the wrong type */
#include <string.h>
int main(void) {
  int from[4] = {1, 2, 3, 4};
  short to[4];
  memcpy(to, from, sizeof from);
  return to[0] == 9;
}
