/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: an atomic struct of two numbers is read and written as a whole */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct pair {
  int a, b;
};
static _Atomic struct pair p;
static void *writer(void *arg) {
  struct pair n = {1, 1};
  atomic_store(&p, n);
  n.a = n.b = 2;
  atomic_store(&p, n);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  struct pair seen = atomic_load(&p);
  assert(seen.a == seen.b);
  pthread_join(t, 0);
  seen = p;
  assert(seen.a == 2);
  return 0;
}
