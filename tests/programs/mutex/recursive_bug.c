/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: a normal mutex locked again by its owner */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void add(int n) {
  pthread_mutex_lock(&m);
  total++;
  if (n > 1)
    add(n - 1);
  pthread_mutex_unlock(&m);
}
int main(void) {
  add(1);
  add(2);
  return 0;
}
