/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: sprintf reads what it writes */
#include <stdio.h>
int main(void) {
  char text[16] = "n = ";
  sprintf(text, "%s%d", text, 5);
  return 0;
}
