/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=UNSAFE
 * native: any
 * what: readers hold one of two locks, and end with it; the writer waits for one
 *       of them */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER,
                        l2 = PTHREAD_RWLOCK_INITIALIZER;
static int g, h;
static void *w(void *a) {
  int f = __VERIFIER_nondet_int() != 0;
  if (f)
    pthread_rwlock_rdlock(&l);
  else
    pthread_rwlock_rdlock(&l2);
  h = g;
  return a;
}
static void *v(void *a) {
  pthread_rwlock_wrlock(&l);
  g++;
  pthread_rwlock_unlock(&l);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, w, 0);
  pthread_create(&u, 0, v, 0);
}
