/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: workers and one closer: after the door is closed under the lock no
 *   worker starts a job */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int closed, busy;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  if (!closed && !busy) {
    busy = 1;
    pthread_mutex_unlock(&m);
    assert(busy);
    pthread_mutex_lock(&m);
    busy = 0;
  }
  pthread_mutex_unlock(&m);
  return arg;
}
static void *closer(void *arg) {
  pthread_mutex_lock(&m);
  if (!busy)
    closed = 1;
  assert(!(closed && busy));
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, closer, 0);
  while (1)
    pthread_create(&t, 0, worker, 0);
}
