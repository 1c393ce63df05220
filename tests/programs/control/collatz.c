/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="27 111"
 * what: a while loop whose number of rounds is data dependent */
#include <assert.h>
#include <stdio.h>
int main(void) {
  unsigned n = 27, steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  assert(steps == 111);
  printf("27 %u\n", steps);
  return 0;
}
