/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a lock-free stack whose nodes are not used again: every pushed
 *   node is popped once */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node {
  struct node *next;
  int taken;
};
static _Atomic(struct node *) top;
static struct node nodes[2];
static void push(struct node *n) {
  struct node *old = top;
  do
    n->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, n));
}
static struct node *pop(void) {
  struct node *old = top;
  while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
    ;
  return old;
}
static void *work(void *arg) {
  push(arg);
  struct node *n = pop();
  assert(n);
  n->taken++;
  assert(n->taken == 1);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, &nodes[0]);
  pthread_create(&b, 0, work, &nodes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(top == 0 && nodes[0].taken == 1 && nodes[1].taken == 1);
  return 0;
}
