/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: infinities, NaN and negative zero */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  double zero = 0.0, inf = 1 / zero, nan = inf - inf;
  assert(inf > 1e308 && -inf < 0 && inf == inf + 1);
  assert(nan != nan && !(nan < 1) && !(nan >= 1));
  double minus = -zero;
  unsigned long long bits;
  assert(minus == zero && 1 / minus == -inf);
  memcpy(&bits, &minus, sizeof bits);
  assert(bits == 0x8000000000000000ull);
  assert(fabs(-2.5) == 2.5);
  puts("ok");
  return 0;
}
