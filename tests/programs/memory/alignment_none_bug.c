/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: three is no alignment */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  void *p = NULL;
  assert(posix_memalign(&p, 3, 8) == 0);
  free(p);
  return 0;
}
