/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: of many blocks from one place only one is written to */
#include <assert.h>
#include <stdlib.h>
static int *last, *before;
int main(void) {
  for (int i = 0; i < 6; i++) {
    before = last;
    last = malloc(sizeof *last);
    if (!last)
      return 0;
    *last = 1;
  }
  *last = 2;
  assert(*before == 2);
}
