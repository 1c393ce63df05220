/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a binary semaphore as a mutex, a counting one as a signal */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t lock, done;
static int x;
static void *work(void *arg) {
  sem_wait(&lock);
  x++;
  sem_post(&lock);
  sem_post(&done);
  return arg;
}
int main(void) {
  pthread_t a, b;
  int value;
  sem_init(&lock, 0, 1);
  sem_init(&done, 0, 0);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  sem_wait(&done);
  sem_wait(&done);
  assert(x == 2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  sem_getvalue(&lock, &value);
  assert(value == 1);
  sem_destroy(&lock);
  sem_destroy(&done);
  return 0;
}
