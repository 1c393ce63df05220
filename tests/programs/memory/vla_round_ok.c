/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: a new array each round, used in its round only */
#include <assert.h>
int main(void) {
  int s = 0;
  for (int n = 1; n < 4; n++) {
    int a[n], *last = &a[n - 1];
    for (int i = 0; i < n; i++)
      a[i] = i;
    s += *last;
  }
  assert(s == 3);
  return 0;
}
