/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: a signal wakes one of two waiters, the other sleeps on */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open, passed;
static void *guest(void *arg) {
  pthread_mutex_lock(&m);
  while (!open)
    pthread_cond_wait(&c, &m);
  passed++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, guest, 0);
  pthread_create(&b, 0, guest, 0);
  pthread_mutex_lock(&m);
  open = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(passed == 2);
  return 0;
}
