/* SPDX-License-Identifier: MIT */
/* A pool of N threads in a struct of the heap; functions with arguments are handed
 * to it; it is shut down and freed. BUG: tasks left at the end are forgotten. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif
#define QUEUE 4
#define TASKS 3
struct pool {
  pthread_mutex_t lock;
  pthread_cond_t notify;
  pthread_t threads[N];
  struct {
    void (*run)(void *);
    void *arg;
  } queue[QUEUE];
  int head, tail, count, shutdown;
};
static int results[TASKS];

static void task(void *arg) {
  *(int *)arg += 1;
}

static void *thread(void *arg) {
  struct pool *pool = arg;
  for (;;) {
    pthread_mutex_lock(&pool->lock);
    while (pool->count == 0 && !pool->shutdown)
      pthread_cond_wait(&pool->notify, &pool->lock);
#ifdef BUG
    if (pool->shutdown)
      break;
#else
    if (pool->shutdown && pool->count == 0)
      break;
#endif
    void (*run)(void *) = pool->queue[pool->head].run;
    void *to = pool->queue[pool->head].arg;
    pool->head = (pool->head + 1) % QUEUE;
    pool->count--;
    pthread_mutex_unlock(&pool->lock);
    run(to);
  }
  pthread_mutex_unlock(&pool->lock);
  return 0;
}

int main(void) {
  struct pool *pool = calloc(1, sizeof *pool);
  if (!pool)
    abort();
  pthread_mutex_init(&pool->lock, 0);
  pthread_cond_init(&pool->notify, 0);
  for (int i = 0; i < N; i++)
    pthread_create(&pool->threads[i], 0, thread, pool);
  for (int i = 0; i < TASKS; i++) {
    pthread_mutex_lock(&pool->lock);
    pool->queue[pool->tail].run = task;
    pool->queue[pool->tail].arg = &results[i];
    pool->tail = (pool->tail + 1) % QUEUE;
    pool->count++;
    pthread_cond_signal(&pool->notify);
    pthread_mutex_unlock(&pool->lock);
  }
  pthread_mutex_lock(&pool->lock);
  pool->shutdown = 1;
  pthread_cond_broadcast(&pool->notify);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < N; i++)
    pthread_join(pool->threads[i], 0);
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->notify);
  free(pool);
  for (int i = 0; i < TASKS; i++)
    assert(results[i] == 1);
  return 0;
}
