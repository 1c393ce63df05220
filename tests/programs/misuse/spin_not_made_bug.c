/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: spin locks have no static initialiser */
#include <pthread.h>
static pthread_spinlock_t lock;
static int n;
static void *work(void *arg) {
  pthread_spin_lock(&lock);
  n++;
  pthread_spin_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
