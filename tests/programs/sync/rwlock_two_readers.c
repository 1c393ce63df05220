/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: readers do not shut each other out: each waits for the other
 *   inside */
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l;
static pthread_barrier_t both;
static int x = 3;
static void *reader(void *arg) {
  pthread_rwlock_rdlock(&l);
  pthread_barrier_wait(&both);
  assert(x == 3);
  pthread_rwlock_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_rwlock_init(&l, 0);
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_rwlock_wrlock(&l);
  x = 4;
  assert(pthread_rwlock_tryrdlock(&l) != 0);
  pthread_rwlock_unlock(&l);
  assert(pthread_rwlock_trywrlock(&l) == 0);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_destroy(&l);
  return 0;
}
