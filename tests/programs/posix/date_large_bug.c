/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: exit=139
 * what: there is no date for times that are too large */
#include <limits.h>
#include <stdio.h>
#include <time.h>

int main(void) {
  time_t any = LONG_MAX;
  printf("%d\n", gmtime(&any)->tm_year);
  return 0;
}
