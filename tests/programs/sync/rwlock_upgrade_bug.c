/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: each of two threads reads under one lock and wants to write under
 *   the other */
#include <pthread.h>
static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER,
                        b = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *one(void *arg) {
  pthread_rwlock_rdlock(&a);
  pthread_rwlock_wrlock(&b);
  x++;
  pthread_rwlock_unlock(&b);
  pthread_rwlock_unlock(&a);
  return arg;
}
static void *two(void *arg) {
  pthread_rwlock_rdlock(&b);
  pthread_rwlock_wrlock(&a);
  pthread_rwlock_unlock(&a);
  pthread_rwlock_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
