/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: one way out of the section forgets to post */
#include <pthread.h>
#include <semaphore.h>
static sem_t lock;
static int x;
static void *work(void *arg) {
  sem_wait(&lock);
  if (x == 1)
    return arg;
  x++;
  sem_post(&lock);
  return arg;
}
int main(void) {
  pthread_t a, b, c;
  sem_init(&lock, 0, 1);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_create(&c, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
