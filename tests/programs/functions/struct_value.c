/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="1 2 30 4.5 5 9"
 * what: structs by value of several sizes: in registers, mixed int and
 *   double, large; returned; copied */
#include <assert.h>
#include <stdio.h>
struct pair {
  int a, b;
};
struct mixed {
  int n;
  double d;
};
struct big {
  long v[5];
  char tag;
};
struct tiny {
  char c;
};
static struct pair swap(struct pair p) {
  struct pair q = {p.b, p.a};
  p.a = 99;
  return q;
}
static struct mixed scale(struct mixed m, int k) {
  m.n *= k;
  m.d *= k;
  return m;
}
static struct big fill(struct big b, long x) {
  for (int i = 0; i < 5; i++)
    b.v[i] += x + i;
  b.tag++;
  return b;
}
static struct tiny next(struct tiny t) {
  t.c++;
  return t;
}
int main(void) {
  struct pair p = {2, 1}, q = swap(p);
  assert(p.a == 2 && q.a == 1 && q.b == 2);
  struct mixed m = scale((struct mixed){10, 1.5}, 3);
  assert(m.n == 30 && m.d == 4.5);
  struct big b = {.tag = 'a'}, c = fill(b, 1);
  assert(b.v[4] == 0 && c.v[4] == 5 && c.tag == 'b' && fill(c, 0).v[4] == 9);
  assert(next((struct tiny){'x'}).c == 'y');
  printf("%d %d %d %.1f %ld %ld\n", q.a, q.b, m.n, m.d, c.v[4],
         fill(c, 0).v[4]);
  return 0;
}
