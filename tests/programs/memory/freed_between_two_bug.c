/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a thread looks into a node that another has published and frees soon;
 * whoever looks in time starts a third one, and asks too much of it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
  int value;
};
static _Atomic(struct node *) top;
static atomic_int late, seen;
static void *owner(void *arg) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    exit(0);
  n->value = 7;
  atomic_store(&top, n);
  atomic_store(&late, 1);
  free(n);
  return arg;
}
static void *third(void *arg) {
  atomic_fetch_add(&seen, atomic_load(&late));
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, owner, 0);
  struct node *n = atomic_load(&top);
  if (!n || n->value != 7)
    return 0;
  pthread_create(&b, 0, third, 0);
  pthread_join(a, 0);
  assert(atomic_load(&seen) > 1);
  return 0;
}
