/* SPDX-License-Identifier: MIT */
/* N workers take items off a list, main puts 2 N there and waits until all are
 * done. BUG: "done" is counted without the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif
struct item {
  int value;
  struct item *next;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static struct item *head;
static int done, sum, stop;

static void *worker(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (!head && !stop)
      pthread_cond_wait(&some, &m);
    if (!head) {
      pthread_mutex_unlock(&m);
      return arg;
    }
    struct item *item = head;
    head = item->next;
#ifdef BUG
    pthread_mutex_unlock(&m);
    sum += item->value;
    done++;
    pthread_mutex_lock(&m);
#else
    sum += item->value;
    done++;
#endif
    if (done == 2 * N)
      pthread_cond_signal(&all);
    pthread_mutex_unlock(&m);
    free(item);
  }
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2 * N; i++) {
    struct item *item = malloc(sizeof *item);
    if (!item)
      abort();
    item->value = 1;
    pthread_mutex_lock(&m);
    item->next = head;
    head = item;
    pthread_cond_signal(&some);
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
#ifndef BUG
  while (done < 2 * N)
    pthread_cond_wait(&all, &m);
#endif
  stop = 1;
  pthread_cond_broadcast(&some);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(sum == 2 * N);
  return 0;
}
