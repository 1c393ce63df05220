/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: skip it prints what was in a register
 * what: a format takes what nobody gave */
#include <stdio.h>

int main(void) {
  printf("%s and %d\n", "one");
  return 0;
}
