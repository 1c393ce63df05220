/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the queue lock of Mellor-Crummey and Scott: everybody spins on a
 *   flag of his own */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node {
  _Atomic(struct node *) next;
  atomic_int wait;
};
static _Atomic(struct node *) tail;
static struct node nodes[2];
static int x;
static void lock(struct node *n) {
  n->next = 0;
  n->wait = 1;
  struct node *before = atomic_exchange(&tail, n);
  if (before) {
    before->next = n;
    while (n->wait)
      ;
  }
}
static void unlock(struct node *n) {
  struct node *mine = n;
  if (!n->next) {
    if (atomic_compare_exchange_strong(&tail, &mine, 0))
      return;
    while (!n->next)
      ;
  }
  struct node *after = n->next;
  after->wait = 0;
}
static void *work(void *arg) {
  lock(arg);
  x++;
  unlock(arg);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, &nodes[0]);
  pthread_create(&b, 0, work, &nodes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2 && tail == 0);
  return 0;
}
