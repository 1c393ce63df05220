/* SPDX-License-Identifier: MIT */
/* A pool of two workers: main hands out tasks, each is done once, and at the end
 * everybody goes home. With -DWAKE_ONE only one worker is told to. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { WORKERS = 2, TASKS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int waiting_tasks; /* handed out, not taken yet */
static bool closed;       /* no more will come */
static int done;

static void *worker(void *arg) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!waiting_tasks && !closed)
      pthread_cond_wait(&change, &lock);
    if (!waiting_tasks) {
      pthread_mutex_unlock(&lock);
      return arg;
    }
    waiting_tasks--;
    done++;
    pthread_mutex_unlock(&lock);
  }
}

static void submit(void) {
  pthread_mutex_lock(&lock);
  waiting_tasks++;
  pthread_cond_signal(&change);
  pthread_mutex_unlock(&lock);
}

static void close_pool(void) {
  pthread_mutex_lock(&lock);
  closed = true;
#ifdef WAKE_ONE
  pthread_cond_signal(&change);
#else
  pthread_cond_broadcast(&change);
#endif
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < TASKS; i++)
    submit();
  close_pool();
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  assert(done == TASKS);
  return 0;
}
