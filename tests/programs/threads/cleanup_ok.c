/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the cleanup handler unlocks when the thread leaves in the middle */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void unlock(void *arg) {
  pthread_mutex_unlock(arg);
}
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  x++;
  if (arg)
    pthread_exit(0);
  x++;
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_mutex_lock(&m);
  assert(x == 3);
  pthread_mutex_unlock(&m);
  return 0;
}
