/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0
 * what: what cannot be had is null, and the old block stays */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  size_t n = (size_t)1 << 62;
  char *p = malloc(4);
  p[0] = 7;
  errno = 0;
  assert(realloc(p, n) == NULL && errno == ENOMEM);
  assert(p[0] == 7);
  assert(calloc(n, 8) == NULL);
  assert(reallocarray(p, n, 16) == NULL);
  assert(aligned_alloc(64, n) == NULL);
  free(p);
  return 0;
}
