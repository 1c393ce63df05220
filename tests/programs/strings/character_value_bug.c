/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: isdigit gives any number but 0; counting with it counts too much */
#include <assert.h>
#include <ctype.h>
int main(void) {
  int digits = 0;
  for (const char *p = "a1b2"; *p; p++)
    digits += isdigit((unsigned char)*p) ? isdigit((unsigned char)*p) / 2048 : 0;
  assert(digits == 2);
  return 0;
}
