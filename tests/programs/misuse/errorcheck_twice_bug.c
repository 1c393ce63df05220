/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: an error-checking mutex is taken twice by one thread, which is told so */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int inside;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  inside = pthread_mutex_lock(&m);
  assert(inside == 0);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &kind);
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
