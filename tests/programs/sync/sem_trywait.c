/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: sem_trywait takes a token or says EAGAIN; tokens are neither lost
 *   nor made */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t tokens, lock;
static int got;
static void *work(void *arg) {
  if (sem_trywait(&tokens) == 0) {
    sem_wait(&lock);
    got++;
    sem_post(&lock);
  } else
    assert(errno == EAGAIN);
  return arg;
}
int main(void) {
  pthread_t t[3];
  sem_init(&tokens, 0, 2);
  sem_init(&lock, 0, 1);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(got == 2);
  return 0;
}
