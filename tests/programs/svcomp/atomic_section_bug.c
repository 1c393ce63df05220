/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the atomic section ends between the read and the write */
#include <pthread.h>
extern void __assert_fail(const char *, const char *, unsigned, const char *)
    __attribute__((noreturn));
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error() {
  __assert_fail("0", "atomic_section_bug.c", 4, "reach_error");
}
int x = 0;
void *thread(void *arg) {
  __VERIFIER_atomic_begin();
  int t = x;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  x = t + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, thread, 0);
  pthread_create(&b, 0, thread, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) {
  ERROR:
    reach_error();
  }
  return 0;
}
