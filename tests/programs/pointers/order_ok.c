/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: within an object there is an order, and addresses are aligned */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static int row[4];
int main(void) {
  int *end = row + 4;
  for (int *p = row; p < end; p++)
    *p = 1;
  assert(end != row && end - row == 4);
  assert(((uintptr_t)&row[1] & 3) == 0);
  char *block = malloc(8);
  assert(((uintptr_t)block & 7) == 0);
  free(block);
  return 0;
}
