/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: an environment variable may be set, or not */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *home = getenv("NOBODY_HAS_THIS"), *again = getenv("NOBODY_HAS_THIS");
  assert((home == NULL) == (again == NULL));
  assert(home != NULL || getenv("NOR_THIS") != NULL);
  return 0;
}
