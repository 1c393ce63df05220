/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="0 5 6 -1"
 * what: enumerations: values given and counted on, negative ones, as array
 *   index and in switch */
#include <assert.h>
#include <stdio.h>
enum color { RED, GREEN = 5, BLUE, NONE = -1 };
static const char *const names[] = {
    [RED] = "red", [GREEN] = "green", [BLUE] = "blue"};
static enum color after(enum color c) {
  switch (c) {
  case RED:
    return GREEN;
  case GREEN:
    return BLUE;
  case BLUE:
  case NONE:
    break;
  }
  return NONE;
}
int main(void) {
  assert(names[1] == 0 && names[BLUE][0] == 'b' &&
         sizeof names / sizeof *names == 7);
  assert(after(after(after(RED))) == NONE);
  printf("%d %d %d %d\n", RED, after(RED), BLUE, NONE);
  return 0;
}
