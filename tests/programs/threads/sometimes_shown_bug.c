/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the address of a local variable gets away on one of two ways */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *gp;
static void *w(void *a) {
  pthread_mutex_lock(&m);
  if (gp)
    *gp = 1;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  int x = 0;
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  if (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&m);
    gp = &x;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  assert(x == 0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
