/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the read lock is given up before the write lock is taken */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int cached, value;
static void *get(void *arg) {
  pthread_rwlock_rdlock(&l);
  int have = cached;
  pthread_rwlock_unlock(&l);
  if (!have) {
    pthread_rwlock_wrlock(&l);
    value = 9;
    cached = 1;
    pthread_rwlock_unlock(&l);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, get, 0);
  pthread_create(&b, 0, get, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return value == 9 ? 0 : 1;
}
