/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: pushes with a plain store instead of compare-and-swap: a node is
 *   lost */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node {
  struct node *next;
};
static _Atomic(struct node *) top;
static struct node nodes[2];
static void *work(void *arg) {
  struct node *n = arg;
  struct node *old = top;
  top = n;
  n->next = old;
  return 0;
}
static void *look(void *arg) {
  struct node *n = top;
  return n && n->next ? arg : 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, work, &nodes[0]);
  pthread_create(&b, 0, work, &nodes[1]);
  pthread_create(&c, 0, look, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(top->next != 0);
  return 0;
}
