/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: equal numbers cannot be told apart; each of different ones is found */
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int list[] = {4, 1, 4, 0}, others[] = {1, 3, 5, 7, 9};
  qsort(list, 4, sizeof *list, compare);
  assert(list[0] == 0 && list[1] == 1 && list[2] == 4 && list[3] == 4);
  for (int i = 0; i < 5; i++) {
    int key = others[i];
    assert(bsearch(&key, others, 5, sizeof key, compare) == &others[i]);
    key++;
    assert(!bsearch(&key, others, 5, sizeof key, compare));
  }
  return 0;
}
