/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: two threads make the same condition variable */
#include <pthread.h>
static pthread_cond_t c;
static void *make(void *arg) {
  pthread_cond_init(&c, 0);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, make, 0);
  pthread_create(&u, 0, make, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
