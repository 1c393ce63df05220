/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: functions called __VERIFIER_atomic_*: a compare-and-swap, and a
 *   lock that waits by assuming */
#include <pthread.h>
extern void abort(void);
extern void __VERIFIER_assume(int);
void reach_error() {
  abort();
}
void __VERIFIER_error(void);
void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR:
    reach_error();
    __VERIFIER_error();
  }
}
int lock, inside, winner;
void __VERIFIER_atomic_acquire(int *l) {
  __VERIFIER_assume(*l == 0);
  *l = 1;
}
void __VERIFIER_atomic_release(int *l) {
  __VERIFIER_assert(*l == 1);
  *l = 0;
}
int __VERIFIER_atomic_cas(int *p, int old, int new) {
  if (*p != old)
    return 0;
  *p = new;
  return 1;
}
void __VERIFIER_atomic_enter(void) {
  inside++;
  __VERIFIER_assert(inside == 1);
}
void __VERIFIER_atomic_leave(void) {
  inside--;
}
void *thread(void *arg) {
  int id = arg ? 1 : 2;
  __VERIFIER_atomic_acquire(&lock);
  __VERIFIER_atomic_enter();
  __VERIFIER_atomic_leave();
  __VERIFIER_atomic_release(&lock);
  if (__VERIFIER_atomic_cas(&winner, 0, id))
    __VERIFIER_assert(__VERIFIER_atomic_cas(&winner, id, id));
  return 0;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, thread, 0);
  pthread_create(&b, 0, thread, &lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  __VERIFIER_assert(winner == 1 || winner == 2);
  return 0;
}
