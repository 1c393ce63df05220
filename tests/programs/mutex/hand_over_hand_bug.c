/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: lets go of the first lock before it has the second and links
 *   without one: a node can be lost */
#include <assert.h>
#include <pthread.h>
struct node {
  int key;
  pthread_mutex_t lock;
  struct node *next;
};
static struct node last = {100, PTHREAD_MUTEX_INITIALIZER, 0},
                   head = {0, PTHREAD_MUTEX_INITIALIZER, &last};
static struct node pool[2] = {{5, PTHREAD_MUTEX_INITIALIZER, 0},
                              {7, PTHREAD_MUTEX_INITIALIZER, 0}};
static void *insert(void *arg) {
  struct node *n = arg, *p = &head;
  pthread_mutex_lock(&p->lock);
  while (p->next->key < n->key) {
    struct node *q = p->next;
    pthread_mutex_unlock(&p->lock);
    pthread_mutex_lock(&q->lock);
    p = q;
  }
  n->next = p->next;
  pthread_mutex_unlock(&p->lock);
  p->next = n;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, insert, &pool[0]);
  pthread_create(&b, 0, insert, &pool[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(head.next == &pool[0] && pool[0].next == &pool[1]);
  return 0;
}
