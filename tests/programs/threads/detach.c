/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a detached thread and main share data under a mutex */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int steps;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  steps++;
  assert(steps >= 1 && steps <= 2);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_detach(t);
  pthread_mutex_lock(&m);
  steps++;
  assert(steps == 1 || steps == 2);
  pthread_mutex_unlock(&m);
  return 0;
}
