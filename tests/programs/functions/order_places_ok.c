/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: operands by way of addresses that lead to different places, or to places
 *   that end with their call */
#include <assert.h>
#include <stdlib.h>
static int grow(int *p) { return ++*p; }
struct pair {
  const int all;
  int some;
};
static int last(struct pair *p) {
  return __atomic_fetch_add(&p->some, 1, __ATOMIC_SEQ_CST) == p->all - 1;
}
static int twice(int n) {
  int sum = 0;
  for (int i = 0; i < 2; i++)
    grow(&sum);
  return sum + n;
}
static int first(void) {
  int *p = malloc(sizeof *p);
  *p = 3;
  int n = *p;
  free(p);
  return n;
}
int main(void) {
  int a = 1, b = 1, all[2] = {0, 0};
  assert(grow(&a) + grow(&b) == 4);
  assert(a + grow(&b) == 5);
  assert(twice(a) + twice(b) + a == 11);
  assert(all[0]++ + all[1]++ == 0 && all[0] == 1 && all[1] == 1);
  assert(a + first() == 5);
  struct pair pair = {1, 0};
  assert(last(&pair));
  return 0;
}
