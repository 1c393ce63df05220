/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: the barrier without generations: the last resets the count before
 *   the others have seen it */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int count;
static void barrier(void) {
  pthread_mutex_lock(&m);
  if (++count == 2) {
    count = 0;
    pthread_cond_broadcast(&c);
  } else
    while (count != 0)
      pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  barrier();
  barrier();
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
