/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: skip inputs
 * what: how many threads there are is drawn, and the two bounds of it are in one
 *   assumption, so that their truth goes through a register */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, count;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  if (count < n)
    count++;
  assert(count <= 6);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t thread;
  n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 3 && n <= 6);
  for (int i = 0; i < n; i++)
    pthread_create(&thread, NULL, work, NULL);
  return 0;
}
