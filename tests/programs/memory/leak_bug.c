/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=UNSAFE
 * native: exit=0
 * what: an early return forgets the buffer */
#include <stdlib.h>
static int work(int n) {
  char *buffer = malloc(8);
  if (!buffer)
    return 1;
  if (n == 2)
    return 2;
  buffer[n] = 1;
  free(buffer);
  return 0;
}
int main(void) {
  for (int i = 0; i < 4; i++)
    work(i);
  return 0;
}
