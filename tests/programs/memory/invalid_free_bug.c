/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: frees an address inside the buffer, the loop has moved the pointer */
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  for (int i = 0; i < 3; i++)
    *p++ = 'x';
  free(p);
  return 0;
}
