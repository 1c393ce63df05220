/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the lock-free queue of Michael and Scott: two enqueue, one of them
 *   dequeues as well */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int next[4], head = 1, tail = 1; /* node 1 is the dummy, 0 none */
static int got;
static void enqueue(int n) {
  for (;;) {
    int t = tail, after = next[t], zero = 0;
    if (after != 0)
      atomic_compare_exchange_strong(&tail, &t, after);
    else if (atomic_compare_exchange_strong(&next[t], &zero, n)) {
      atomic_compare_exchange_strong(&tail, &t, n);
      return;
    }
  }
}
static int dequeue(void) {
  for (;;) {
    int h = head, t = tail, first = next[h];
    if (first == 0)
      return 0;
    if (h == t)
      atomic_compare_exchange_strong(&tail, &t, first);
    else if (atomic_compare_exchange_strong(&head, &h, first))
      return first;
  }
}
static void *one(void *arg) {
  enqueue(2);
  got = dequeue();
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
  assert(got == 2 || got == 3);
  assert(dequeue() == 5 - got && dequeue() == 0);
  return 0;
}
