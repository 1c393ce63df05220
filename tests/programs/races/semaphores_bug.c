/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the writer does not wait until the cell is empty */
#include <pthread.h>
#include <semaphore.h>
static sem_t full, empty;
static int cell;
static void *put(void *arg) {
  for (int i = 1; i <= 2; i++) {

    cell = i;
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
  return sum >= 2 ? 0 : 1;
}
