/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: semaphores force an order between three threads; nothing else is
 *   needed */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s[2];
static int x;
static void *one(void *arg) {
  x = 5;
  sem_post(&s[0]);
  return arg;
}
static void *two(void *arg) {
  sem_wait(&s[0]);
  x *= 2;
  sem_post(&s[1]);
  return arg;
}
int main(void) {
  pthread_t a, b;
  sem_init(&s[0], 0, 0);
  sem_init(&s[1], 0, 0);
  pthread_create(&b, 0, two, 0);
  pthread_create(&a, 0, one, 0);
  sem_wait(&s[1]);
  assert(x == 10);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
