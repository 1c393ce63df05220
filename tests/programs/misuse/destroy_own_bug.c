/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: exit=134
 * what: whether the mutex is given back before it is destroyed depends on a
 *   counter; destroying one's own mutex fails */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static int users;
static void *user(void *arg) {
  pthread_mutex_lock(&m);
  users++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  pthread_create(&t, 0, user, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  if (users != 1)
    pthread_mutex_unlock(&m);
  assert(pthread_mutex_destroy(&m) == 0);
  return 0;
}
