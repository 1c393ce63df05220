/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip atomic sections
 * what: the sum gets so large only if the two threads alternate strictly, twelve
 *   times, and main looks behind that */
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

unsigned left = 1, right = 1;

static void *to_left(void *arg) {
  for (int i = 0; i < 6; i++) {
    __VERIFIER_atomic_begin();
    left += right;
    __VERIFIER_atomic_end();
  }
  return arg;
}

static void *to_right(void *arg) {
  for (int i = 0; i < 6; i++) {
    __VERIFIER_atomic_begin();
    right += left;
    __VERIFIER_atomic_end();
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, to_left, NULL);
  pthread_create(&b, NULL, to_right, NULL);
  __VERIFIER_atomic_begin();
  unsigned sum = left + right;
  __VERIFIER_atomic_end();
  if (sum >= 377 + 233)
    reach_error();
  return 0;
}
