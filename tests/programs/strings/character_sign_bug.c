/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a character of a text that is no ASCII is negative */
#include <ctype.h>
int main(void) {
  const char *text = "\xe4" "b";
  int letters = 0;
  for (int i = 0; text[i]; i++)
    letters += isalpha(text[i]) != 0;
  return letters & 0;
}
