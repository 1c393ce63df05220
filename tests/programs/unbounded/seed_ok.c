/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: skip it creates threads without end
 * options: --engine=pairs
 * what: a seed that is replaced by any other but 0 and the old one, under a lock;
 *   inputs of all values, and a remainder of them */
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int seed = 1;
static void *draw(void *arg) {
  int fresh;
  pthread_mutex_lock(&m);
  int old = seed;
  do
    fresh = __VERIFIER_nondet_int();
  while (fresh == 0 || fresh == old);
  seed = fresh;
  pthread_mutex_unlock(&m);
  assert(fresh != old && fresh % 6 < 6);
  pthread_mutex_lock(&m);
  assert(seed != 0);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, draw, 0);
}
