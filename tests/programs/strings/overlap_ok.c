/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: parts of one buffer that do not touch each other; memmove may overlap */
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char text[24] = "abc";
  strcpy(text + 4, text);
  strcat(text + 4, text);
  snprintf(text + 12, 12, "%.2s!", text + 1);
  memmove(text, text + 1, 3);
  assert(strcmp(text, "bc") == 0);
  assert(strcmp(text + 4, "abcabc") == 0);
  assert(strcmp(text + 12, "bc!") == 0);
  return 0;
}
