/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: conversions between integers and floating point, truncation
 *   towards zero */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
  assert((int)2.9 == 2 && (int)-2.9 == -2 && (unsigned char)255.9 == 255);
  assert((float)16777217 == 16777216.0f && (double)16777217 == 16777217.0);
  assert((double)UINT64_MAX == 18446744073709551616.0 &&
         (int64_t)-1e18 == -1000000000000000000LL);
  assert((double)(1ull << 63) == 9223372036854775808.0);
  int i = 7;
  i += 0.9;
  assert(i == 7);
  i *= 1.5;
  assert(i == 10);
  float f = 1e-46f;
  assert(f == 0);
  f = 3e-45f;
  assert(f > 0);
  assert(1 / 2 * 2.0 == 0 && 1 / 2.0 * 2 == 1);
  puts("ok");
  return 0;
}
