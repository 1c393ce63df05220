/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: characters as isdigit wants them, and EOF */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
int main(void) {
  const char *text = "\xe4" "1";
  int digits = 0;
  for (int i = 0; text[i]; i++)
    digits += isdigit((unsigned char)text[i]) != 0;
  assert(digits == 1);
  assert(!isdigit(EOF));
  return 0;
}
