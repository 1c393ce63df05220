/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: who comes after a dead owner is told, repairs, and goes on */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *dies(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  return arg;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_t t;
  pthread_mutexattr_init(&a);
  assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, dies, 0);
  int r = pthread_mutex_lock(&m);
  if (r == EOWNERDEAD) {
    assert(x == 1);
    assert(pthread_mutex_consistent(&m) == 0);
    assert(pthread_mutex_consistent(&m) == EINVAL);
  } else {
    assert(r == 0);
  }
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_unlock(&m) == EPERM);
  pthread_join(t, 0);
  return 0;
}
