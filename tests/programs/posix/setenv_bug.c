/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: what getenv gives changes with setenv */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *before = getenv("HEDDLE_NOT_THERE");
  setenv("HEDDLE_NOT_THERE", "yes", 1);
  assert(getenv("HEDDLE_NOT_THERE") == before);
  return 0;
}
