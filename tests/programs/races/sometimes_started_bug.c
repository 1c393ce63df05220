/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a thread that is created on one of two ways */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g;
static void *w(void *a) {
  g++;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  if (__VERIFIER_nondet_int())
    pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  g++;
}
