/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the lower half of an address is not 0, whatever the interpreter has */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  int low = (int)(long)p;
  free(p);
  assert(low == 0);
  return 0;
}
