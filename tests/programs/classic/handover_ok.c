/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a section is entered by one thread and left by another: the
 *   semaphore goes over with it */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t lock, handed;
static int x;
static void *starter(void *arg) {
  sem_wait(&lock);
  x = 1;
  sem_post(&handed);
  return arg;
}
static void *finisher(void *arg) {
  sem_wait(&handed);
  assert(x == 1);
  x = 2;
  sem_post(&lock);
  return arg;
}
static void *other(void *arg) {
  sem_wait(&lock);
  assert(x == 0 || x == 2);
  sem_post(&lock);
  return arg;
}
int main(void) {
  pthread_t a, b, c;
  sem_init(&lock, 0, 1);
  sem_init(&handed, 0, 0);
  pthread_create(&a, 0, starter, 0);
  pthread_create(&b, 0, finisher, 0);
  pthread_create(&c, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
