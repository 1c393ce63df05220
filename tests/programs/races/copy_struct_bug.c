/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: a mutex is copied while another thread locks it */
#include <pthread.h>
#include <string.h>
static struct box { int n; pthread_mutex_t lock; } box = {1, PTHREAD_MUTEX_INITIALIZER};

static void *run(void *unused) {
  pthread_mutex_lock(&box.lock);
  pthread_mutex_unlock(&box.lock);
  return unused;
}
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, run, 0))
    return 0;
  struct box copy = box; (void)copy;
  pthread_join(thread, 0);
  return 0;
}
