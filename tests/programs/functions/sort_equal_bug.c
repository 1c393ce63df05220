/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: qsort may put equal elements in any order */
#include <assert.h>
#include <stdlib.h>
struct entry {
  int key, place;
};
static int by_key(const void *a, const void *b) {
  return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}
int main(void) {
  struct entry list[3] = {{2, 0}, {1, 1}, {2, 2}};
  qsort(list, 3, sizeof *list, by_key);
  assert(list[0].key == 1);
  assert(list[1].place < list[2].place);
  return 0;
}
