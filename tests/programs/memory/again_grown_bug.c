/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a block that grows may stay where it is */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *old = malloc(sizeof *old);
  *old = 3;
  uintptr_t before = (uintptr_t)old;
  int *grown = realloc(old, 4 * sizeof *grown);
  assert((uintptr_t)grown != before);
  free(grown);
  return 0;
}
