/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: who does not get the mutex goes away; who gets it is alone */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned char stage;
static void *work(void *arg) {
  if (pthread_mutex_trylock(&m) != 0)
    return arg;
  assert(stage == 0);
  stage = 1;
  stage = 2;
  assert(stage == 2);
  stage = 0;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, work, 0);
}
