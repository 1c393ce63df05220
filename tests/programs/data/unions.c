/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: unions: type punning, little-endian bytes, anonymous members,
 *   tagged values */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
union word {
  uint32_t u;
  uint8_t b[4];
  float f;
  struct {
    uint16_t lo, hi;
  };
};
struct value {
  enum { INT, REAL } kind;
  union {
    int i;
    double d;
  };
};
static double number(struct value v) {
  return v.kind == INT ? v.i : v.d;
}
int main(void) {
  union word w = {.u = 0x01020304};
  assert(w.b[0] == 4 && w.b[3] == 1 && w.lo == 0x0304 && w.hi == 0x0102);
  w.f = 1.0f;
  assert(w.u == 0x3f800000);
  w.hi = 0x4000;
  assert(w.f == 2.0f);
  struct value v[2] = {{INT, .i = 3}, {REAL, .d = 0.5}};
  assert(number(v[0]) + number(v[1]) == 3.5 && sizeof(union word) == 4);
  puts("ok");
  return 0;
}
