/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE memory=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * options: --malloc-fails
 * what: memory is used without a look at whether there is any */
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return 0;
}
