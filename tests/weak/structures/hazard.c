/* SPDX-License-Identifier: MIT */
/* A stack whose nodes are freed, with the hazard pointers of genmc.h. BUG: a node is read
 * that nobody protects. */
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *_Atomic next;
};
static struct node *_Atomic top;

static void push(int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do
    atomic_store_explicit(&n->next, old, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(
      &top, &old, n, memory_order_release, memory_order_relaxed));
}

static int pop(void) {
  __VERIFIER_hp_t *hazard = __VERIFIER_hp_alloc();
  for (;;) {
#ifdef BUG
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
#else
    struct node *old = __VERIFIER_hp_protect(hazard, &top);
#endif
    struct node *next = atomic_load_explicit(&old->next, memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(
            &top, &old, next, memory_order_acquire, memory_order_relaxed))
      continue;
    int value = old->value;
    __VERIFIER_hp_retire(old);
    __VERIFIER_hp_free(hazard);
    return value;
  }
}

static void *work(void *arg) {
  assert(pop() > 0);
  return arg;
}

int main(void) {
  push(1);
  push(2);
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
