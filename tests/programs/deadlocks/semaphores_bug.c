/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: both wait for the same semaphore in the end */
#include <pthread.h>
#include <semaphore.h>
static sem_t full, empty;
static int cell;
static void *put(void *arg) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&empty);
    cell = i;
    if (i == 1)
      sem_post(&full);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  int sum = 0;
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, 1);
  pthread_create(&t, 0, put, 0);
  for (int i = 0; i < 2; i++) {
    sem_wait(&full);
    sum += cell;
    sem_post(&empty);
  }
  pthread_join(t, 0);
  return sum == 3 ? 0 : 1;
}
