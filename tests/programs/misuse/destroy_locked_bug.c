/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: main destroys the mutex while the thread may hold it */
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m;
static sem_t started;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  sem_post(&started);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&started, 0, 0);
  pthread_mutex_init(&m, 0);
  pthread_create(&t, 0, work, 0);
  sem_wait(&started);
  pthread_mutex_destroy(&m);
  pthread_join(t, 0);
  return 0;
}
