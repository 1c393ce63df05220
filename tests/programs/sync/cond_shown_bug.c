/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: what a mutex protects is seen during a wait */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *w(void *a) {
  pthread_mutex_lock(&m);
  assert(x == 0);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  x = 1;
  pthread_cond_wait(&c, &m);
  x = 0;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
