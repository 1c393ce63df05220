/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: an atomic store to one of two variables */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = 0, b = 0;
  int *p = __VERIFIER_nondet_int() ? &a : &b;
  __atomic_store_n(p, 1, __ATOMIC_SEQ_CST);
  assert(a == 1);
}
