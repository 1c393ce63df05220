/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: skip it does not end
 * what: what the variables mean depends on the phase, and a counter that nobody
 *   looks at grows for ever */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int phase, drawn, kept = -5;
static unsigned steps;
static void *work(void *arg) {
  for (;;) {
    int v = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    steps++;
    if (phase == 0) {
      drawn = v < 0 ? 0 : v;
      phase = 1;
    } else if (phase == 1) {
      kept = drawn > 100 ? 100 : drawn;
      phase = 2;
    } else {
      assert(kept >= 0 && kept <= 100);
      drawn = kept = 0;
      phase = 0;
    }
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
