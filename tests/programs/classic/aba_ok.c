/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the top carries a tag that every swap changes */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint top = 1;
static atomic_int next[3] = {0, 2, 0};
static int mine, theirs;
#define NODE(t) ((int)((t)&255))
#define TAGGED(t, n) ((((t) >> 8) + 1) << 8 | (unsigned)(n))
static int pop(void) {
  unsigned old;
  int n;
  do {
    old = top;
    if (!NODE(old))
      return 0;
    n = next[NODE(old)];
  } while (!atomic_compare_exchange_strong(&top, &old, TAGGED(old, n)));
  return NODE(old);
}
static void push(int n) {
  unsigned old;
  do {
    old = top;
    next[n] = NODE(old);
  } while (!atomic_compare_exchange_strong(&top, &old, TAGGED(old, n)));
}
static void *one(void *arg) {
  mine = pop();
  return arg;
}
static void *two(void *arg) {
  int first = pop();
  theirs = pop();
  if (first)
    push(first);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  for (int n = NODE(top); n; n = next[n])
    assert(n != mine && n != theirs);
  return 0;
}
