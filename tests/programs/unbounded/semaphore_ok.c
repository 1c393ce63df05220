/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: two tokens: never three threads inside */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t tokens;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned inside;
static void *work(void *arg) {
  sem_wait(&tokens);
  pthread_mutex_lock(&m);
  inside++;
  assert(inside <= 2);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  inside--;
  pthread_mutex_unlock(&m);
  sem_post(&tokens);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&tokens, 0, 2);
  while (1)
    pthread_create(&t, 0, work, 0);
}
