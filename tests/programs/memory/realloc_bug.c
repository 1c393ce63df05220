/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: keeps using the old address after realloc */
#include <stdlib.h>
int main(void) {
  int *v = malloc(4 * sizeof *v);
  if (!v)
    return 0;
  v[0] = 1;
  int *first = &v[0];
  int *w = realloc(v, 4096 * sizeof *v);
  if (!w) {
    free(v);
    return 0;
  }
  int x = *first;
  free(w);
  return x == 2;
}
