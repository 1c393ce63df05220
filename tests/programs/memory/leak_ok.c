/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0
 * what: every way out frees the buffer */
#include <stdlib.h>
static int work(int n) {
  int status = 2;
  char *buffer = malloc(8);
  if (!buffer)
    return 1;
  if (n == 2)
    goto out;
  buffer[n] = 1;
  status = 0;
out:
  free(buffer);
  return status;
}
int main(void) {
  for (int i = 0; i < 4; i++)
    work(i);
  return 0;
}
