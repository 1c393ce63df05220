/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: nested structs, arrays of structs, assignment copies, padding,
 *   pointers to members, flexible array member */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
struct point {
  int x, y;
};
struct line {
  struct point from, to;
  char name[6];
};
struct text {
  int length;
  char s[];
};
int main(void) {
  struct line a[2] = {{{1, 2}, {3, 4}, "ab"}, {.to = {.y = 9}, .name = {'x'}}},
              b;
  b = a[0];
  b.from.x = 7;
  assert(a[0].from.x == 1 && b.from.x == 7 && b.to.y == 4 && b.name[1] == 'b' &&
         b.name[2] == 0);
  assert(a[1].from.x == 0 && a[1].to.y == 9);
  struct point *p = &b.to;
  p->x += 10;
  (*p).y--;
  assert(b.to.x == 13 && b.to.y == 3);
  assert(offsetof(struct line, name) == 16 && sizeof(struct line) == 24);
  struct text *t = malloc(sizeof *t + 3);
  if (!t)
    return 0;
  t->length = 3;
  t->s[2] = 'c';
  assert(sizeof(struct text) == 4 && t->s[2] == 'c');
  free(t);
  puts("ok");
  return 0;
}
