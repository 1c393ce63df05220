/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: there is no such amount of memory */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  size_t n = (size_t)1 << 60;
  char *p = realloc(NULL, n);
  assert(p != NULL);
  return 0;
}
