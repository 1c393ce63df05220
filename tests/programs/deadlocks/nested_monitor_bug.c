/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: waits on a condition while it holds a second lock that the
 *   signaller needs */
#include <pthread.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER,
                       inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *setter(void *arg) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  while (!ready)
    pthread_cond_wait(&c, &inner);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  pthread_join(t, 0);
  return 0;
}
