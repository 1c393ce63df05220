/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: designated initialisers, overridden ones, compound literals,
 *   strings, static tables */
#include <assert.h>
#include <stdio.h>
#include <string.h>
struct p {
  int x, y;
  const char *name;
};
static const struct p table[] = {
    [2] = {.y = 5, .x = 1}, [0] = {7, .name = "zero"}};
static const char *words[] = {"if", "else", "while"};
static int sum(const int *v, int n) {
  int s = 0;
  while (n--)
    s += *v++;
  return s;
}
int main(void) {
  int v[] = {[3] = 4, 5, [0] = 1, [3] = 6};
  assert(sizeof v == 5 * sizeof *v && v[0] == 1 && v[1] == 0 && v[3] == 6 &&
         v[4] == 5);
  assert(table[2].x == 1 && table[2].y == 5 && table[1].name == 0 &&
         strcmp(table[0].name, "zero") == 0);
  assert(sum((int[]){1, 2, 3}, 3) == 6);
  struct p *q = &(struct p){.x = 3};
  q->y = q->x + 1;
  assert(q->y == 4 && q->name == 0);
  char s[] = "abc", t[5] = "de";
  assert(sizeof s == 4 && t[2] == 0 && t[4] == 0 && words[2][1] == 'h');
  int m[2][2] = {1, 2, 3};
  assert(m[1][0] == 3 && m[1][1] == 0);
  puts("ok");
  return 0;
}
