/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: the token is given back before the thread has left */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t tokens;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned inside;
static void *work(void *arg) {
  sem_wait(&tokens);
  pthread_mutex_lock(&m);
  assert(inside < 2);
  inside++;
  pthread_mutex_unlock(&m);
  sem_post(&tokens);
  pthread_mutex_lock(&m);
  inside--;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&tokens, 0, 2);
  while (1)
    pthread_create(&t, 0, work, 0);
}
