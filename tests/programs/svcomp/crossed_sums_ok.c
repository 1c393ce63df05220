/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: two threads add each other's sum three times: the largest value
 *   that can come out is 21 */
#include <pthread.h>
extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error() {
  abort();
}
extern void __VERIFIER_error(void);
int i = 1, j = 1;
void *one(void *arg) {
  for (int k = 0; k < 3; k++) {
    __VERIFIER_atomic_begin();
    i += j;
    __VERIFIER_atomic_end();
  }
  return 0;
}
void *two(void *arg) {
  for (int k = 0; k < 3; k++) {
    __VERIFIER_atomic_begin();
    j += i;
    __VERIFIER_atomic_end();
  }
  return 0;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (i > 21 || j > 21)
  ERROR:
    __VERIFIER_error();
  return 0;
}
