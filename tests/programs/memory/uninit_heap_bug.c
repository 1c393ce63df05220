/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE uninit=UNSAFE
 * native: any
 * what: malloc does not clear, calloc would */
#include <stdlib.h>
int main(void) {
  int *v = malloc(3 * sizeof *v);
  if (!v)
    return 0;
  v[0] = v[2] = 0;
  for (int i = 0; i < 3; i++)
    if (v[i]) {
      free(v);
      return 1;
    }
  free(v);
  return 0;
}
