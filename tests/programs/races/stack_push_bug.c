/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a node gets its value when it is on the stack already */
#include <pthread.h>
#include <stdatomic.h>
struct node {
  int value;
  struct node *next;
};
static struct node nodes[2];
static _Atomic(struct node *) top;
static void *push(void *arg) {
  struct node *n = arg;
  n->value = 3;
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &n->next, n))
    ;
  n->value = 3;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, &nodes[0]);
  pthread_create(&b, 0, push, &nodes[1]);
  struct node *n = atomic_load(&top);
  int v = n ? n->value : 3;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return v == 3 ? 0 : 1;
}
