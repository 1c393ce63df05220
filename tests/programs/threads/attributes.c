/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: threads created with attributes: detached, joinable, with a stack
 *   size */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t done;
static int x;
static void *work(void *arg) {
  x++;
  sem_post(&done);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_attr_t a;
  int state;
  sem_init(&done, 0, 0);
  pthread_attr_init(&a);
  pthread_attr_setstacksize(&a, 1 << 18);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  pthread_attr_getdetachstate(&a, &state);
  assert(state == PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &a, work, 0);
  sem_wait(&done);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
  pthread_create(&t, &a, work, 0);
  pthread_join(t, 0);
  pthread_attr_destroy(&a);
  assert(x == 2);
  return 0;
}
