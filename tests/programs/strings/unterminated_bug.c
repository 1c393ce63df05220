/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: strncpy leaves no zero behind a string that fills the buffer */
#include <string.h>
int main(void) {
  char b[4];
  strncpy(b, "heddle", sizeof b);
  return strlen(b) == 99;
}
