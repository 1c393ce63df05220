/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE memory=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: freed addresses are compared with null and with themselves only */
#include <assert.h>
#include <stdlib.h>
static int *list[3];
int main(void) {
  for (int i = 0; i < 3; i++) {
    list[i] = malloc(sizeof *list[i]);
    *list[i] = i;
  }
  for (int i = 0; i < 3; i++) {
    free(list[i]);
    list[i] = 0;
  }
  int *again = malloc(sizeof *again);
  assert(again != list[0] && again == again);
  free(again);
  return 0;
}
