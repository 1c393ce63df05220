/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: every width and sign: limits, wraparound of unsigned types, sizes */
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
  uint8_t a = UINT8_MAX;
  a++;
  assert(a == 0);
  uint16_t b = 0;
  b--;
  assert(b == 65535);
  uint32_t c = UINT32_MAX;
  c += 2;
  assert(c == 1);
  uint64_t d = 0;
  d -= 1;
  assert(d == UINT64_MAX && d == 18446744073709551615u);
  int8_t e = -128;
  assert(e == INT8_MIN && -e == 128);
  int16_t f = INT16_MAX;
  assert(f + 1 == 32768);
  int64_t g = INT64_MIN;
  assert(g < 0 && g + 1 == -INT64_MAX);
  assert(CHAR_MIN == -128 && (char)200 == -56 && (signed char)200 == -56 &&
         (unsigned char)200 == 200);
  _Bool h = 256;
  assert(h == 1);
  h = 0.5;
  assert(h == 1);
  h += 1;
  assert(h == 1);
  h = !h;
  assert(h == 0);
  assert(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 &&
         sizeof(long long) == 8);
  puts("ok");
  return 0;
}
