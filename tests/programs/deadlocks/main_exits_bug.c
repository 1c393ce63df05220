/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: main has ended by pthread_exit, the last thread waits for a post
 *   that never comes */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *work(void *arg) {
  sem_wait(&s);
  sem_wait(&s);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, work, 0);
  pthread_exit(0);
}
