/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="7 3 10 2 -5"
 * what: function pointers: in variables, tables, structs, parameters, as
 *   results, compared */
#include <assert.h>
#include <stdio.h>
typedef int op(int, int);
static int add(int a, int b) {
  return a + b;
}
static int sub(int a, int b) {
  return a - b;
}
static int mul(int a, int b) {
  return a * b;
}
static op *const table[] = {add, sub, mul};
struct named {
  const char *name;
  op *f;
};
static int apply(op *f, int a, int b) {
  return f ? f(a, b) : 0;
}
static op *choose(char c) {
  return c == '+' ? add : c == '-' ? sub : 0;
}
int main(void) {
  struct named n = {"mul", mul};
  int (*g)(int, int) = &add;
  assert(g == add && *g == table[0] && choose('?') == 0);
  int a = g(5, 2), b = table[1](5, 2), c = n.f(5, 2),
      d = apply(choose('+'), 1, 1), e = apply(choose('-'), -2, 3);
  assert(a == 7 && b == 3 && c == 10 && d == 2 && e == -5);
  assert(apply(choose('/'), 1, 2) == 0);
  printf("%d %d %d %d %d\n", a, b, c, d, e);
  return 0;
}
