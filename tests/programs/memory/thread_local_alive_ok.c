/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: a thread's own variable is used while the thread waits */
#include <pthread.h>
#include <semaphore.h>
static _Thread_local int own = 3;
static int *others;
static sem_t shown, used;
static void *wait(void *arg) {
  others = &own;
  sem_post(&shown);
  sem_wait(&used);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&shown, 0, 0);
  sem_init(&used, 0, 0);
  pthread_create(&t, 0, wait, 0);
  sem_wait(&shown);
  int n = *others;
  sem_post(&used);
  pthread_join(t, 0);
  return n - 3;
}
