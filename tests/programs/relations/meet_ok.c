/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: one counter goes up, one down, their sum stays */
#include <assert.h>
int main(void) {
  int i = 0, j = 2000;
  while (i < j) {
    i++;
    j--;
  }
  assert(i + j == 2000);
  return 0;
}
