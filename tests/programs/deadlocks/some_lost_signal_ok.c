/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the state is looked at before the wait, beside a thread that ticks */
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done;
static void *sender(void *arg) {
  pthread_mutex_lock(&m);
  done = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&m);
  return arg;
}
static void *ticks(void *arg) {
  for (;;)
    sched_yield();
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&t, 0, ticks, 0);
  pthread_create(&s, 0, sender, 0);
  pthread_mutex_lock(&m);
  while (!done)
    pthread_cond_wait(&ready, &m);
  pthread_mutex_unlock(&m);
  pthread_join(s, 0);
  return 0;
}
