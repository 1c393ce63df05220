/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a handler uses a variable of main after its return */
#include <stdlib.h>
static int *count;
static void report(void) {
  ++*count;
}
int main(void) {
  int n = 0;
  count = &n;
  atexit(report);
  return 0;
}
