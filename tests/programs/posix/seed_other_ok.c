/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: another seed brings other numbers, of which nothing is known */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  srand(7);
  int first = rand() % 3;
  srand(8);
  int second = rand() % 3;
  assert(first + second < 5);
  return 0;
}
