/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: which of the error-checking mutexes is unlocked depends on an input; main looks
 * at what it is told when it locks the first one again */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t locks[64];
static int shared;

static void *other(void *arg) {
  pthread_mutex_lock(&locks[0]);
  shared++;
  pthread_mutex_unlock(&locks[0]);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  for (int i = 0; i < 64; i++)
    pthread_mutex_init(&locks[i], &attr);
  unsigned which = __VERIFIER_nondet_uint();
  if (which > 63)
    return 0;
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_lock(&locks[1]);
  pthread_mutex_unlock(&locks[which]);
  int result = pthread_mutex_lock(&locks[0]);
  assert(result == 0 || result == EDEADLK);
  return 0;
}
