/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: no room for the zero behind the string */
#include <stdlib.h>
#include <string.h>
int main(void) {
  const char *word = "heddle";
  char *copy = malloc(strlen(word));
  if (!copy)
    return 0;
  strcpy(copy, word);
  int r = copy[0] == 'x';
  free(copy);
  return r;
}
