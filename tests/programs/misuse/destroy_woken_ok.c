/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: a condition variable is destroyed as soon as all who wait for it were woken
 *   (POSIX allows that), although they have not got their mutex back */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static void *wait(void *arg) {
  pthread_mutex_lock(&lock);
  while (!ready)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_cond_destroy(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
