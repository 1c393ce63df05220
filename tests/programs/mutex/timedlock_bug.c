/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: treats a lock that timed out as taken */
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int owner;
static void *work(void *arg) {
  struct timespec until = {0, 0};
  pthread_mutex_timedlock(&m, &until);
  __atomic_store_n(&owner, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  __atomic_store_n(&owner, 2, __ATOMIC_SEQ_CST);
  assert(__atomic_load_n(&owner, __ATOMIC_SEQ_CST) == 2);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
