/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: abort is not a failing assertion: it ends the program */
#include <stdlib.h>
int main(void) {
  volatile int x = 1;
  if (x)
    abort();
  return 0;
}
