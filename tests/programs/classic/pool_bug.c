/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: the shutdown wakes one of two idle workers only */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int jobs, closed, done;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  for (;;) {
    while (jobs == 0 && !closed)
      pthread_cond_wait(&work, &m);
    if (jobs == 0)
      break;
    jobs--;
    done++;
  }
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_mutex_lock(&m);
  jobs++;
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(done == 1);
  return 0;
}
