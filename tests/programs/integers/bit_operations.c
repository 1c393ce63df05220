/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: bit tricks: counts, reversal, rotation, power of two, masks of
 *   every width */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
static int count(uint32_t x) {
  int n = 0;
  for (; x; x &= x - 1)
    n++;
  return n;
}
static uint8_t reverse(uint8_t b) {
  b = (b & 0xF0) >> 4 | (b & 0x0F) << 4;
  b = (b & 0xCC) >> 2 | (b & 0x33) << 2;
  return (b & 0xAA) >> 1 | (b & 0x55) << 1;
}
static uint32_t rotate(uint32_t x, int k) {
  return k ? x << k | x >> (32 - k) : x;
}
int main(void) {
  assert(count(0) == 0 && count(0xffffffffu) == 32 && count(0x10101) == 3);
  assert(reverse(1) == 128 && reverse(0xD2) == 0x4B);
  assert(rotate(0x80000001u, 4) == 0x18 && rotate(7, 0) == 7);
  assert((0x0f0f ^ 0xffff) == 0xf0f0 && (~0 & 1) && (-8 & 7) == 0 &&
         (-8 | 7) == -1);
  assert(__builtin_popcount(255) == 8 && __builtin_ctz(8) == 3 &&
         __builtin_clz(1) == 31);
  uint64_t x = 1ull << 63;
  assert(x >> 63 == 1 && (x | 1) == 0x8000000000000001ull);
  puts("ok");
  return 0;
}
