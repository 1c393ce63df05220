/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: the customer looks for a chair without waking the barber when he
 *   is the first */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER,
                      ready = PTHREAD_COND_INITIALIZER;
static int waiting, served;
static void *barber(void *arg) {
  pthread_mutex_lock(&m);
  while (waiting == 0)
    pthread_cond_wait(&come, &m);
  waiting--;
  served = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&m);
  return arg;
}
static void *customer(void *arg) {
  pthread_mutex_lock(&m);
  waiting++;
  if (waiting > 1)
    pthread_cond_signal(&come);
  while (!served)
    pthread_cond_wait(&ready, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t, a;
  pthread_create(&t, 0, barber, 0);
  pthread_create(&a, 0, customer, 0);
  pthread_join(a, 0);
  pthread_join(t, 0);
  return 0;
}
