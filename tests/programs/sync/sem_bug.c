/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the semaphore starts with two: both are let in */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t lock;
static int x;
static void *work(void *arg) {
  sem_wait(&lock);
  x++;
  sem_post(&lock);
  return arg;
}
int main(void) {
  pthread_t a, b;
  sem_init(&lock, 0, 2);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
