/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: assumptions, assertions, atomic sections and inputs by the names that
 *   other verifiers give them; assert without its header */
#include <pthread.h>
void __CPROVER_assume(int condition);
void __ESBMC_assert(int condition, const char *text);
void __CPROVER_assert(int condition, const char *text);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
unsigned char nondet_uchar(void);
unsigned char __VERIFIER_nondet_byte(void);
void __VERIFIER_loop_begin(void);
void assert(int condition);
static int x, y;
static void *both(void *arg) {
  __ESBMC_atomic_begin();
  x++;
  y++;
  __ESBMC_atomic_end();
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, both, 0);
  __ESBMC_atomic_begin();
  __ESBMC_assert(x == y, "both or none");
  __ESBMC_atomic_end();
  pthread_join(thread, 0);
  unsigned char a = nondet_uchar(), b = __VERIFIER_nondet_byte();
  __CPROVER_assume(a < 10);
  __VERIFIER_loop_begin();
  __CPROVER_assert(a < 10, "assumed");
  assert(b <= 255);
  return 0;
}
