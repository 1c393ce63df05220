/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a thread ends with the lock, which its successor does not hold */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m, k = PTHREAD_MUTEX_INITIALIZER;
void *a(void *p) { pthread_mutex_lock(&m); return 0; }
void *b(void *p) { assert(pthread_mutex_unlock(&m) == 0); return 0; }
int main(void) {
  pthread_t t;
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &at);
  pthread_create(&t, 0, a, 0);
  pthread_join(t, 0);
  t = 0;
  pthread_mutex_lock(&k);
  pthread_mutex_unlock(&k);
  pthread_create(&t, 0, b, 0);
  pthread_join(t, 0);
  return 0;
}
