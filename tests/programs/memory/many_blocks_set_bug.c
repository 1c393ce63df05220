/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: of many blocks from one place only one is set by memset */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int *last, *before;
int main(void) {
  for (int i = 0; i < 6; i++) {
    before = last;
    last = malloc(sizeof *last);
    if (!last)
      return 0;
    *last = 1;
  }
  memset(last, 0, sizeof *last);
  assert(*before == 0);
}
