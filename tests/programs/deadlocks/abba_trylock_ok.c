/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: opposite orders, but the second lock is only tried and the first
 *   given back */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER,
                       b = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void both(pthread_mutex_t *p, pthread_mutex_t *q) {
  for (;;) {
    pthread_mutex_lock(p);
    if (pthread_mutex_trylock(q) == 0)
      break;
    pthread_mutex_unlock(p);
  }
  x++;
  pthread_mutex_unlock(q);
  pthread_mutex_unlock(p);
}
static void *one(void *arg) {
  both(&a, &b);
  return arg;
}
static void *two(void *arg) {
  both(&b, &a);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}
