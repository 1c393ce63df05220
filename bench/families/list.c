/* SPDX-License-Identifier: MIT */
/* N threads insert their number into a sorted list under a lock. BUG: the place is
 * looked for before the lock is taken. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct node {
  int key;
  struct node *next;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static struct node **place(int key) {
  struct node **p = &head;
  while (*p && (*p)->key < key)
    p = &(*p)->next;
  return p;
}

static void *worker(void *arg) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->key = (int)((long)arg * 3 % N);
#ifdef BUG
  struct node **p = place(n->key);
  pthread_mutex_lock(&m);
#else
  pthread_mutex_lock(&m);
  struct node **p = place(n->key);
#endif
  n->next = *p;
  *p = n;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  int count = 0, last = -1;
  for (struct node *n = head; n; n = n->next) {
    assert(n->key >= last);
    last = n->key;
    count++;
  }
  assert(count == N);
  return 0;
}
