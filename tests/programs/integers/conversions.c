/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: promotions and usual conversions between signed and unsigned of
 *   different widths */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
  assert(-1 > 1u);
  assert(-1L < 1u);
  assert((short)-1 == -1 && (unsigned short)-1 == 65535);
  assert((int)3000000000u < 0 && (uint32_t)(int8_t)-2 == 4294967294u);
  assert((int64_t)(int32_t)0x80000000u == -2147483648LL &&
         (uint64_t)(uint32_t)-1 == 4294967295ull);
  unsigned char c = 200, d = 100;
  assert(c + d == 300 && (unsigned char)(c + d) == 44 && (c << 1) == 400 &&
         ~c == -201);
  char s = (char)0x80;
  assert((int)s == -128 && (unsigned)s == 0xffffff80u);
  int8_t t = 127;
  t++;
  assert(t == -128);
  uint16_t u = 65535;
  assert((uint32_t)u * 2 == 131070);
  long l = -1;
  assert((unsigned)l == 0xffffffffu && (char)(l & 0x7f) == 127);
  assert(sizeof('a') == 4 && (1 ? -1 : 0u) == 4294967295u);
  puts("ok");
  return 0;
}
