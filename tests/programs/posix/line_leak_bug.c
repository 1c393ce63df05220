/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE leak=UNSAFE
 * native: exit=0
 * what: getline makes a place also where no line comes */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
  char *line = NULL;
  size_t room = 0;
  if (getline(&line, &room, stdin) < 0)
    line = NULL;
  return 0;
}
