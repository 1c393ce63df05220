/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: links the node with a plain store: one of two nodes gets lost */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int next[4], head = 1, tail = 1;
static void enqueue(int n) {
  int t = tail;
  if (next[t] == 0)
    next[t] = n;
  else
    next[next[t]] = n;
  tail = n;
}
static int dequeue(void) {
  int first = next[head];
  if (first)
    head = first;
  return first;
}
static void *one(void *arg) {
  enqueue(2);
  return arg;
}
static void *two(void *arg) {
  enqueue(3);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int x = dequeue(), y = dequeue();
  assert(x + y == 5);
  return 0;
}
