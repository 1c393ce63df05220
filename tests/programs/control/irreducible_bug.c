/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: the second entry of the loop skips the initialisation that the
 *   first makes */
#include <assert.h>
static int walk(int resume, int n) {
  int left = 8;
  if (resume)
    goto inside;
  left = n;
  while (left > 0) {
    left--;
  inside:
    left--;
  }
  return left;
}
int main(void) {
  assert(walk(0, 4) == 0);
  assert(walk(1, 4) == 0);
  return 0;
}
