/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: a writer takes the lock for reading */
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int dirty;
static void *reader(void *arg) {
  pthread_rwlock_rdlock(&l);
  assert(!dirty);
  pthread_rwlock_unlock(&l);
  return arg;
}
static void *writer(void *arg) {
  pthread_rwlock_rdlock(&l);
  dirty = 1;
  dirty = 0;
  pthread_rwlock_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, writer, 0);
  }
}
