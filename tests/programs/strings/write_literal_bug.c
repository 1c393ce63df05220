/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: exit=139
 * what: string literals are not to be changed */
int main(void) {
  char *s = "abc";
  s[0] = 'x';
  return s[1];
}
