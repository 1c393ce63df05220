/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=SAFE
 * native: exit=0 output="ok"
 * what: checked arithmetic with the compiler's overflow builtins */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
int main(void) {
  int r;
  unsigned u;
  long long l;
  assert(!__builtin_add_overflow(1, 2, &r) && r == 3);
  assert(__builtin_add_overflow(INT_MAX, 1, &r) && r == INT_MIN);
  assert(__builtin_sub_overflow(0u, 1u, &u) && u == UINT_MAX);
  assert(__builtin_mul_overflow(LLONG_MAX, 2LL, &l) && l == -2);
  puts("ok");
  return 0;
}
