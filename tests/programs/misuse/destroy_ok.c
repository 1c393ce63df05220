/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: main destroys the mutex after it has joined every user, and may
 *   initialise it again */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&m, 0);
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    pthread_mutex_destroy(&m);
  }
  assert(x == 4);
  return 0;
}
