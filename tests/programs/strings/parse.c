/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=SAFE memory=SAFE
 * native: exit=0 output="-1203 255 0"
 * what: reads decimal and hexadecimal numbers by hand, character
 *   arithmetic, ctype */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
static int decimal(const char *s) {
  int sign = 1, v = 0;
  while (isspace((unsigned char)*s))
    s++;
  if (*s == '-') {
    sign = -1;
    s++;
  }
  while (isdigit((unsigned char)*s))
    v = 10 * v + (*s++ - '0');
  return sign * v;
}
static int hex(const char *s) {
  int v = 0;
  for (; isxdigit((unsigned char)*s); s++)
    v = v * 16 + (isdigit((unsigned char)*s)
                      ? *s - '0'
                      : toupper((unsigned char)*s) - 'A' + 10);
  return v;
}
int main(void) {
  int a = decimal("  -1203x"), b = hex("fF"), c = decimal("");
  assert(a == -1203 && b == 255 && c == 0);
  printf("%d %d %d\n", a, b, c);
  return 0;
}
