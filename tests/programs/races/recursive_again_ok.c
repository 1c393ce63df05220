/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a recursive mutex is still held after the first of two unlocks */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  int again = pthread_mutex_lock(&m);
  assert(again == 0);
  pthread_mutex_unlock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &how);
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
