/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: three threads push and pop twice on a stack without locks;
 *   nothing is freed, so no address comes again */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) top;
static atomic_int popped;

static void push(int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &n->next, n))
    ;
}

static void *worker(void *arg) {
  for (int i = 0; i < 2; i++) {
    push(i + 1);
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
      ;
    if (n && n->value > 0)
      atomic_fetch_add(&popped, 1);
  }
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(popped == 6 && !atomic_load(&top));
  return 0;
}
