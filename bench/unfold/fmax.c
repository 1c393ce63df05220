/* SPDX-License-Identifier: MIT */
/* A producer looks ITEMS times for the largest element of its own array and
 * sends its index through a queue of QUEUE places; main receives. Both spin
 * until there is room or an item: the state space has cycles. That received
 * indexes are in range needs what the queue can hold. */
#include "verifier.h"
#ifndef QUEUE
#define QUEUE 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
int queue[QUEUE], size, source[ITEMS], sorted[ITEMS];
pthread_mutex_t m;

void insert(int x) {
  int done = 0;
  while (!done) {
    pthread_mutex_lock(&m);
    if (size < QUEUE) {
      queue[size] = x;
      size++;
      done = 1;
    }
    pthread_mutex_unlock(&m);
  }
}

int extract(void) {
  int done = 0, x = 0, i;
  while (!done) {
    pthread_mutex_lock(&m);
    if (size > 0) {
      x = queue[0];
      for (i = 1; i < size; i++)
        queue[i - 1] = queue[i];
      size--;
      __VERIFIER_assert(size >= 0);
      __VERIFIER_assert(size < QUEUE);
      done = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return x;
}

int find_max(int *v) {
  int best = 0, i;
  for (i = 1; i < ITEMS; i++)
    if (v[i] > v[best])
      best = i;
  __VERIFIER_assert(best >= 0);
  __VERIFIER_assert(best < ITEMS);
  return best;
}

void *producer(void *arg) {
  int own[ITEMS], i, k;
  for (i = 0; i < ITEMS; i++)
    own[i] = source[i];
  for (i = 0; i < ITEMS; i++) {
    k = find_max(own);
    __VERIFIER_assert(k >= 0);
    __VERIFIER_assert(k < ITEMS);
    own[k] = -own[k];
    insert(k);
  }
  return 0;
}

int main() {
  pthread_t t;
  int i, k;
  pthread_mutex_init(&m, 0);
  for (i = 0; i < ITEMS; i++)
    source[i] = __VERIFIER_nondet_int(0, 20);
  pthread_create(&t, 0, producer, 0);
  for (i = 0; i < ITEMS; i++) {
    k = extract();
    __VERIFIER_assert(k >= 0);
    __VERIFIER_assert(k < ITEMS);
    sorted[i] = source[k];
  }
  pthread_join(t, 0);
  pthread_mutex_destroy(&m);
  return 0;
}
