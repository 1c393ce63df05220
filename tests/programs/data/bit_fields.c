/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: bit-fields, signed and unsigned: wraparound, sign extension,
 *   neighbours stay, width zero */
#include <assert.h>
#include <stdio.h>
struct flags {
  unsigned a : 1, b : 3;
  int c : 4;
  unsigned : 0;
  unsigned d : 12;
  long e : 33;
  _Bool f : 1;
};
int main(void) {
  struct flags x = {0};
  x.a = 1;
  x.b = 9;
  x.c = 7;
  assert(x.a == 1 && x.b == 1 && x.c == 7);
  x.c++;
  assert(x.c == -8 && x.a == 1 && x.b == 1);
  x.d = 4095;
  x.d += 2;
  assert(x.d == 1);
  x.e = -5;
  x.f = 2;
  assert(x.e == -5 && x.f == 1 && x.e * 2 == -10);
  x.b = ~0;
  assert(x.b == 7 && x.b - 8 < 0);
  struct {
    int s : 1;
  } y = {.s = -1};
  assert(y.s == -1);
  puts("ok");
  return 0;
}
