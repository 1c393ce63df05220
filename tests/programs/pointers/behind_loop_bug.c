/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the loop may take the start of another array for its own end */
#include <assert.h>
static char left[3], right[3];
int main(void) {
  int seen = 0;
  for (char *p = left; p != left + 3; p++)
    seen++;
  char *behind = left + seen;
  assert(behind == right);
  return 0;
}
