/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=SAFE arith=SAFE
 * native: exit=0 output="ok"
 * what: integers of 128 bits: sums, products, quotients, shifts and comparisons of
 *   both kinds, checked by identities */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 wide;
typedef __int128 signed_wide;

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static wide any(unsigned by) {
  wide x = (wide)next() << 64 | next();
  return x >> by;
}

static wide constant = (wide)0x0123456789abcdef << 64 | 0xfedcba9876543210;
static signed_wide negative = -5;

int main(void) {
  assert((uint64_t)(constant >> 64) == 0x0123456789abcdef);
  assert((uint64_t)constant == 0xfedcba9876543210);
  assert(negative < 0 && negative + 5 == 0 && negative >> 1 == -3);
  assert(negative / 2 == -2 && negative % 2 == -1);
  for (unsigned i = 0; i < 5; i++) {
    wide a = any(5 * i), b = any(120 - 27 * i) + 1;
    signed_wide x = (signed_wide)a >> 66, y = (signed_wide)b >> 70;
    assert(a - b + b == a && (a ^ b ^ b) == a && (a & b) + (a | b) == a + b);
    assert(a / b * b + a % b == a && a % b < b);
    assert(((a << i) >> i) == (a & (~(wide)0 >> i)));
    assert((a < b) == !(a >= b) && (a > b) == (b < a));
    assert(x * y == y * x && (x + 1) * y == x * y + y && -x * y == -(x * y));
    assert((x < y) == (x - y < 0) && (x <= y) == !(x > y));
    assert((wide)(double)(a >> 80) == a >> 80);
    assert((uint32_t)a == (uint32_t)(uint64_t)a);
  }
  puts("ok");
  return 0;
}
