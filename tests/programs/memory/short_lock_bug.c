/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE memory=UNSAFE race=SAFE deadlock=SAFE
 * native: skip a lock that is larger than its memory
 * what: a lock is put into sixteen bytes */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t *lock;
static void *work(void *arg) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return arg;
}
int main(void) {
  pthread_t t;
  lock = malloc(16);
  pthread_mutex_init(lock, NULL);
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
