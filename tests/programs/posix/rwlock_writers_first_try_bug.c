/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a writer that waits keeps readers out that only try */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l;
static void *writer(void *arg) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  return arg;
}
int main(void) {
  pthread_rwlockattr_t a;
  pthread_t t;
  pthread_rwlockattr_init(&a);
  pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&l, &a);
  pthread_rwlock_rdlock(&l);
  pthread_create(&t, 0, writer, 0);
  int r = pthread_rwlock_tryrdlock(&l);
  assert(r == 0);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
  return 0;
}
