/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: sixteen is one */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  void *p = NULL;
  assert(posix_memalign(&p, 16, 8) == 0);
  assert((uintptr_t)p % 16 == 0);
  free(p);
  return 0;
}
