/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: pthread spin locks */
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t s;
static int x, tried;
static void *work(void *arg) {
  pthread_spin_lock(&s);
  x++;
  pthread_spin_unlock(&s);
  return arg;
}
static void *attempt(void *arg) {
  if (pthread_spin_trylock(&s) == 0) {
    x++;
    tried = 1;
    pthread_spin_unlock(&s);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, attempt, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 1 + tried);
  pthread_spin_destroy(&s);
  return 0;
}
