/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: ten times 0.1 is not 1 */
#include <assert.h>
int main(void) {
  double s = 0;
  for (int i = 0; i < 10; i++)
    s += 0.1;
  assert(s > 0.999 && s < 1.001);
  assert(s == 1.0);
  return 0;
}
