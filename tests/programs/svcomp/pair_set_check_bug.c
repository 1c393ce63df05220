/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: setters write two variables one after the other, a checker sees
 *   one of the writes */
#include <pthread.h>
extern void abort(void);
void reach_error() {
  abort();
}
extern void __VERIFIER_error(void);
static int a = 0, b = 0;
void *set(void *arg) {
  a = 1;
  b = -1;
  return 0;
}
void *check(void *arg) {
  if (!((a == 0 && b == 0) || (a == 1 && b == -1)))
  ERROR:
    __VERIFIER_error();
  return 0;
}
int main() {
  pthread_t s, c;
  pthread_create(&s, 0, set, 0);
  pthread_create(&c, 0, check, 0);
  pthread_join(s, 0);
  pthread_join(c, 0);
  return 0;
}
