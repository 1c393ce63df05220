/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE uninit=SAFE
 * native: exit=0
 * what: into a block at several places, and through it */
#include <assert.h>
static void add(int *to, const int *x) {
  *to += *x;
}
int main(void) {
  int s = 0;
  for (int i = 0; i < 6; i++)
    switch (i % 3) {
      int x;
    case 0:
      x = 1;
      add(&s, &x);
    case 1:
      x = 10;
      add(&s, &x);
      break;
    default:
      x = 100;
      add(&s, &x);
    }
  assert(s == 242);
  return 0;
}
