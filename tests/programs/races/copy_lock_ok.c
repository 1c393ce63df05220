/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a struct with a mutex is copied before and after the thread; its other
 * member is read beside the lock */
#include <pthread.h>
static struct box { int n; pthread_mutex_t lock; } box = {1, PTHREAD_MUTEX_INITIALIZER}, copy;
static void *run(void *unused) {
  pthread_mutex_lock(&box.lock);
  pthread_mutex_unlock(&box.lock);
  return unused;
}
int main(void) {
  pthread_t thread;
  copy = box;
  if (pthread_create(&thread, 0, run, 0))
    return 0;
  int n = box.n;
  pthread_join(thread, 0);
  copy = box;
  return n - 1;
}
