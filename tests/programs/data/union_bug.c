/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: the tag says int, the double was stored */
#include <assert.h>
struct value {
  int is_real;
  union {
    int i;
    double d;
  };
};
static void set(struct value *v, double d) {
  v->d = d;
}
int main(void) {
  struct value v = {.is_real = 0, .i = 5};
  set(&v, 5.0);
  assert(v.is_real || v.i == 5);
  return 0;
}
