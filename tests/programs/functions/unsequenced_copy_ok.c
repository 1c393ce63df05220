/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: where a copy of a text goes, and the copy: strdup writes nothing that the
 * other operand uses */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct step {
  char **lines, *text;
  int n;
};

int main(void) {
  char *lines[2], text[] = "7";
  struct step s = {lines, text, 0};
  while (s.n < 2) {
    s.lines[s.n] = strdup(s.text);
    s.n += atoi(s.text) - 6;
  }
  assert(s.lines[1][0] == '7' && s.lines[0] != text);
  free(s.lines[0]);
  free(s.lines[1]);
  return 0;
}
