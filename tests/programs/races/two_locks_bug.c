/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: each thread locks, but not the same mutex */
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER,
                       b = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *one(void *arg) {
  pthread_mutex_lock(&a);
  x = 1;
  pthread_mutex_unlock(&a);
  return arg;
}
static void *two(void *arg) {
  pthread_mutex_lock(&b);
  x = 2;
  pthread_mutex_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
