/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: pthread_self and pthread_equal: a thread is itself and nobody else */
#include <assert.h>
#include <pthread.h>
static pthread_t mother;
static void *work(void *arg) {
  assert(!pthread_equal(pthread_self(), mother));
  assert(pthread_equal(pthread_self(), pthread_self()));
  *(pthread_t *)arg = pthread_self();
  return 0;
}
int main(void) {
  pthread_t t, said;
  mother = pthread_self();
  pthread_create(&t, 0, work, &said);
  pthread_join(t, 0);
  assert(pthread_equal(t, said));
  return 0;
}
