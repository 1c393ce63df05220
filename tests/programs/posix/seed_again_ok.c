/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the same seed brings the same numbers again */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  srand(7);
  int first = rand();
  srand(7);
  assert(rand() == first);
  return 0;
}
