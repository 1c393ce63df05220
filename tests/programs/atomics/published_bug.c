/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the address of a local variable is published */
#include <assert.h>
#include <pthread.h>
static int *gp;
static void *w(void *a) {
  int *p = __atomic_load_n(&gp, __ATOMIC_SEQ_CST);
  if (p)
    __atomic_store_n(p, 1, __ATOMIC_SEQ_CST);
  return a;
}
int main(void) {
  int x = 0;
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  __atomic_store_n(&gp, &x, __ATOMIC_SEQ_CST);
  assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 0);
  pthread_join(t, 0);
}
