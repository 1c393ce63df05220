/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: takes the lock before it waits for an item: the producer never
 *   gets in */
#include <pthread.h>
#include <semaphore.h>
static sem_t items, lock;
static int value;
static void *producer(void *arg) {
  sem_wait(&lock);
  value = 1;
  sem_post(&lock);
  sem_post(&items);
  return arg;
}
int main(void) {
  pthread_t a;
  sem_init(&items, 0, 0);
  sem_init(&lock, 0, 1);
  pthread_create(&a, 0, producer, 0);
  sem_wait(&lock);
  sem_wait(&items);
  value = 0;
  sem_post(&lock);
  pthread_join(a, 0);
  return 0;
}
