/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: unlocked without being made consistent: nobody can have it any more */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static void *dies(void *arg) {
  pthread_mutex_lock(&m);
  return arg;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_t t;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, dies, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_lock(&m) == EOWNERDEAD);
  pthread_mutex_unlock(&m);
  assert(pthread_mutex_lock(&m) != ENOTRECOVERABLE);
  return 0;
}
