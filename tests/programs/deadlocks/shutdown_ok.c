/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the worker is told to stop, and joined without the lock */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stop, steps;
static void *worker(void *arg) {
  int more = 1;
  while (more) {
    pthread_mutex_lock(&m);
    steps = 1;
    more = !stop;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  stop = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return steps >= 0 ? 0 : 1;
}
