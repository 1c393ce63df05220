/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: an error-checking mutex is not taken a second time, so that the first
 * unlock frees it */
#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int x;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  if (pthread_mutex_lock(&m) != 0)
    pthread_mutex_unlock(&m);
  x++;
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
