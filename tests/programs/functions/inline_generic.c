/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="int long double char* other 9"
 * what: _Generic selection, static inline, macros with statement
 *   expressions */
#include <assert.h>
#include <stdio.h>
#define NAME(x)                                                                \
  _Generic((x), int: "int", long: "long", double: "double", char *: "char*", default: "other")
#define MAX(a, b)                                                              \
  ({                                                                           \
    __typeof__(a) a_ = (a);                                                    \
    __typeof__(b) b_ = (b);                                                    \
    a_ > b_ ? a_ : b_;                                                         \
  })
static inline int square(int x) {
  return x * x;
}
int main(void) {
  int i = 2;
  assert(MAX(i++, 1) == 2 && i == 3);
  printf("%s %s %s %s %s %d\n", NAME(i), NAME(1L), NAME(1.0), NAME((char *)0),
         NAME(1u), square(MAX(i, 2)));
  return 0;
}
