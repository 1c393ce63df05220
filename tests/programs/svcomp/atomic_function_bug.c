/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: test and set are two atomic functions instead of one */
#include <pthread.h>
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
int lock, inside;
int __VERIFIER_atomic_read(int *l) {
  return *l;
}
void __VERIFIER_atomic_write(int *l, int v) {
  *l = v;
}
int __VERIFIER_atomic_add(int *l, int v) {
  *l += v;
  return *l;
}
void *thread(void *arg) {
  __VERIFIER_assume(__VERIFIER_atomic_read(&lock) == 0);
  __VERIFIER_atomic_write(&lock, 1);
  if (__VERIFIER_atomic_add(&inside, 1) != 1)
    __VERIFIER_error();
  __VERIFIER_atomic_add(&inside, -1);
  __VERIFIER_atomic_write(&lock, 0);
  return 0;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, thread, 0);
  pthread_create(&b, 0, thread, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
