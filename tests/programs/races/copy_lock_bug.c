/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: a mutex is copied while another thread locks it */
#include <pthread.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other;
static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, run, 0))
    return 0;
  memcpy(&other, &lock, sizeof other);
  pthread_join(thread, 0);
  return 0;
}
