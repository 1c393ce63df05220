/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the lock in between orders the accesses in most schedules, not in
 *   all */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *one(void *arg) {
  x = 1;
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *two(void *arg) {
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
  x = 2;
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
