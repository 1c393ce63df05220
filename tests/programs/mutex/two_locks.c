/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: two variables, two mutexes, always in the same order */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER,
                       b = PTHREAD_MUTEX_INITIALIZER;
static int x = 1, y = 1;
static void *both(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  int t = x;
  x = y;
  y = t + 1;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}
static void *single(void *arg) {
  pthread_mutex_lock(&b);
  y++;
  pthread_mutex_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, both, 0);
  pthread_create(&t, 0, single, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x + y == 4);
  return 0;
}
