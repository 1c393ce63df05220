/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: one of the two threads does not take the spin lock */
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t s;
static int x;
static void *work(void *arg) {
  pthread_spin_lock(&s);
  x++;
  pthread_spin_unlock(&s);
  return arg;
}
static void *careless(void *arg) {
  x += 2;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, careless, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 3);
  return 0;
}
