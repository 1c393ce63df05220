/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: whether it is set or not, asked again the answer is the same */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int set = getenv("NOBODY_HAS_THIS") != NULL;
  assert((getenv("NOBODY_HAS_THIS") != NULL) == set);
  return 0;
}
