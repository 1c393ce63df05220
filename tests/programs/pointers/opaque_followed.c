/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: skip it writes to anywhere
 * what: any pointer at all is followed, which may lead to nowhere, or
 *   to a variable of the program */
#include <assert.h>
#include <pthread.h>
extern int *__VERIFIER_nondet_pointer(void);
static int number = 1;
static void *user(void *arg) {
  int *p = arg;
  if (p)
    *p = 2;
  return NULL;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, user, __VERIFIER_nondet_pointer());
  pthread_join(a, NULL);
  assert(number == 1);
  return 0;
}
