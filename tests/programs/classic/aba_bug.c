/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: ABA: a node comes back to the top between the look and the swap; a
 *   node that was taken is on the stack again */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int top = 1, next[3] = {0, 2, 0};
static int mine, theirs;
static int pop(void) {
  int old, n;
  do {
    old = top;
    if (!old)
      return 0;
    n = next[old];
  } while (!atomic_compare_exchange_strong(&top, &old, n));
  return old;
}
static void push(int n) {
  int old;
  do {
    old = top;
    next[n] = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
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
  for (int n = top; n; n = next[n])
    assert(n != mine && n != theirs);
  return 0;
}
