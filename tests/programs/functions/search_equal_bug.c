/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: bsearch finds any of several that are equal */
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int list[] = {1, 4, 4, 9}, key = 4;
  int *found = bsearch(&key, list, 4, sizeof *list, compare);
  assert(found && *found == 4);
  assert(found - list == 2);
  return 0;
}
