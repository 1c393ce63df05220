/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="elddeh"
 * what: reverses a string in place, is a palindrome its own reversal */
#include <assert.h>
#include <stdio.h>
#include <string.h>
static void reverse(char *s) {
  for (char *e = s + strlen(s); s < e && s < --e; s++) {
    char t = *s;
    *s = *e;
    *e = t;
  }
}
int main(void) {
  char a[] = "heddle", b[] = "level", c[] = "";
  reverse(a);
  reverse(b);
  reverse(c);
  assert(strcmp(b, "level") == 0 && strcmp(a, "elddeh") == 0 && c[0] == 0);
  puts(a);
  return 0;
}
