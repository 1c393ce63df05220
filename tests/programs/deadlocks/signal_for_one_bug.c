/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: two wait, one signal: that both could wake up without one saves nobody */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int open_gate;
static void *pass(void *arg) {
  pthread_mutex_lock(&lock);
  while (!open_gate)
    pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, pass, NULL);
  pthread_create(&b, NULL, pass, NULL);
  pthread_mutex_lock(&lock);
  open_gate = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
