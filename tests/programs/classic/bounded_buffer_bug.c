/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: one condition variable for both kinds of waiters: a signal can
 *   wake the wrong one */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;
static void *producer(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    while (count == 1)
      pthread_cond_wait(&changed, &m);
    count++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
  }
  return arg;
}
static void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  while (count == 0)
    pthread_cond_wait(&changed, &m);
  count--;
  assert(count == 0);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b, p;
  pthread_create(&a, 0, consumer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_create(&p, 0, producer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(p, 0);
  return 0;
}
