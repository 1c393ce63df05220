/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: everybody has given the mutex back when it is destroyed */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int users;
static void *user(void *arg) {
  pthread_mutex_lock(&m);
  users++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_destroy(&m) == 0);
  return 0;
}
