/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a line ends with its newline */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[3];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  char *end = strchr(line, '\n');
  assert(!end || end[1] == 0);
  return 0;
}
