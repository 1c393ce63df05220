/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a recursive mutex is locked again by its owner and free after as
 *   many unlocks */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static int total;
static void add(int n) {
  pthread_mutex_lock(&m);
  total++;
  if (n > 1)
    add(n - 1);
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  add(2);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &at);
  pthread_mutexattr_destroy(&at);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 4);
  pthread_mutex_destroy(&m);
  return 0;
}
