/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="3 6"
 * options: -DN=3 -DFACTOR=2
 * what: -D on the command line: the number of rounds and a factor */
#include <assert.h>
#include <stdio.h>
#ifndef N
#error N is not defined
#endif
int main(void) {
  int rounds = 0;
  for (int i = 0; i < N; i++)
    rounds++;
  assert(rounds == N && N * FACTOR == 6);
  printf("%d %d\n", rounds, rounds * FACTOR);
  return 0;
}
