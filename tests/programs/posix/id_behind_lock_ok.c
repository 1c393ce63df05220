/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: with a lock around the creation the id is there */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t id;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  assert(pthread_equal(id, pthread_self()));
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_mutex_lock(&m);
  pthread_create(&id, 0, work, 0);
  pthread_mutex_unlock(&m);
  pthread_join(id, 0);
  return 0;
}
