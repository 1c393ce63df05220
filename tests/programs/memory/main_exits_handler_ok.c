/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: exit is called: main has not returned when the handler runs */
#include <stdlib.h>
static int *count;
static void report(void) {
  ++*count;
}
int main(void) {
  int n = 0;
  count = &n;
  atexit(report);
  exit(0);
}
