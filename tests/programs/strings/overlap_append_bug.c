/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a string is appended to itself */
#include <string.h>
int main(void) {
  char text[16] = "abc";
  strncat(text, text, 2);
  return 0;
}
