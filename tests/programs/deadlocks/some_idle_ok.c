/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a worker that waits for jobs when main returns waits no longer than
 *       the program lives */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs;
static void *worker(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (!jobs)
      pthread_cond_wait(&more, &m);
    jobs--;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  jobs++;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&m);
  return 0;
}
