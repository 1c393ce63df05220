/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: one thread destroys the attributes with which another makes a lock */
#include <pthread.h>
static pthread_rwlockattr_t a;
static pthread_rwlock_t lock;
static void *make(void *arg) {
  pthread_rwlock_init(&lock, &a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_rwlockattr_init(&a);
  pthread_create(&t, NULL, make, NULL);
  pthread_rwlockattr_destroy(&a);
  pthread_join(t, NULL);
  return 0;
}
