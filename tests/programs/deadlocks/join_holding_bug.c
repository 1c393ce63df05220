/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: main joins while it holds the mutex that the thread needs */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_join(t, 0);
  pthread_mutex_unlock(&m);
  return 0;
}
