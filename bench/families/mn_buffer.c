/* SPDX-License-Identifier: MIT */
/* N producers of K items each, one consumer of all; semaphores. BUG: producers do
 * not exclude each other. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif
#define PLACES 3
static sem_t places, items;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ring[PLACES], in, out, sum;

static void *producer(void *arg) {
  for (int k = 1; k <= K; k++) {
    sem_wait(&places);
#ifndef BUG
    pthread_mutex_lock(&m);
#endif
    ring[in] = k;
    in = (in + 1) % PLACES;
#ifndef BUG
    pthread_mutex_unlock(&m);
#endif
    sem_post(&items);
  }
  return arg;
}

static void *consumer(void *arg) {
  for (int i = 0; i < N * K; i++) {
    sem_wait(&items);
    sum += ring[out];
    ring[out] = 0;
    out = (out + 1) % PLACES;
    sem_post(&places);
  }
  return arg;
}

int main(void) {
  pthread_t p[N], c;
  sem_init(&places, 0, PLACES);
  sem_init(&items, 0, 0);
  pthread_create(&c, 0, consumer, 0);
  for (int i = 0; i < N; i++)
    pthread_create(&p[i], 0, producer, 0);
  for (int i = 0; i < N; i++)
    pthread_join(p[i], 0);
  pthread_join(c, 0);
  assert(sum == N * K * (K + 1) / 2);
  return 0;
}
