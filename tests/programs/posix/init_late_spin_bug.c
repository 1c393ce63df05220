/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the lock is made while a thread may use it */
#include <pthread.h>
static pthread_spinlock_t l;
static int x;
static void *work(void *arg) {
  pthread_spin_lock(&l);
  x++;
  pthread_spin_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
  pthread_join(t, 0);
  return 0;
}
