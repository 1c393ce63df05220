/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="0x1.999999999999ap-4 0x1.3333333333334p-2 0x1.99999ap-4"
 * what: float and double arithmetic, rounding, comparison, exact hex
 *   output */
#include <assert.h>
#include <stdio.h>
int main(void) {
  double a = 0.1, s = a + 0.2;
  float f = 0.1f;
  assert(s != 0.3 && s > 0.3 && (float)s == 0.3f);
  assert((double)f != a && f * 10 == 1.0f);
  double big = 9007199254740992.0;
  assert(big + 1 == big && big + 2 != big);
  float t = 16777216.0f;
  t = t + 1;
  assert(t == 16777216.0f);
  printf("%a %a %a\n", a, s, f);
  return 0;
}
