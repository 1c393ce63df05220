/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=3 output="before"
 * what: exit inside a function ends the program; what follows does not
 *   happen */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int check(int x) {
  if (x > 2)
    exit(x);
  return x;
}
int main(void) {
  puts("before");
  fflush(stdout);
  for (int i = 0; i < 10; i++)
    check(i);
  assert(0);
  return 0;
}
