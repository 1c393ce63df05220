/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: a saturating reference count: at three nobody else gets a
 *   reference, the last frees, the object is not used after that */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned refs = 1;
static int freed;
static int get(void) {
  int got = 0;
  pthread_mutex_lock(&m);
  if (refs > 0 && refs < 3) {
    refs++;
    got = 1;
  }
  pthread_mutex_unlock(&m);
  return got;
}
static void put(void) {
  pthread_mutex_lock(&m);
  if (--refs == 0) {
    assert(!freed);
    freed = 1;
  }
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  if (get()) {
    assert(!freed);
    put();
  }
  return arg;
}
static void *owner(void *arg) {
  put();
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, owner, 0);
  while (1)
    pthread_create(&t, 0, work, 0);
}
