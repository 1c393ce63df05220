/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: strcpy within one string */
#include <string.h>
int main(void) {
  char text[8] = " abc";
  strcpy(text, text + 1);
  return 0;
}
