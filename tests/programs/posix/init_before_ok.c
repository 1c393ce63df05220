/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: made before the thread starts, destroyed after it has ended */
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m;
static sem_t s;
static int x;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  sem_post(&s);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, work, 0);
  sem_wait(&s);
  pthread_mutex_destroy(&m); /* ordered by the semaphore */
  pthread_join(t, 0);
  sem_destroy(&s);
  return x - 1;
}
