/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: main waits in an atomic section for a thread, which sees what main has
 *   written there: the section is no single step */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static atomic_int busy;
static void *look(void *arg) {
  assert(!busy);
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, look, NULL);
  __VERIFIER_atomic_begin();
  busy = 1;
  pthread_join(t, NULL);
  busy = 0;
  __VERIFIER_atomic_end();
  return 0;
}
