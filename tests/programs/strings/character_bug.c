/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: isalpha takes a character as an unsigned char, or EOF */
#include <ctype.h>
int main(void) {
  int c = 100000;
  return isalpha(c) & 0;
}
