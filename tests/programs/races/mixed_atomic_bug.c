/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: one side uses an atomic operation, the other a plain read */
#include <pthread.h>
static int x;
static void *one(void *arg) {
  __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
  return arg;
}
static void *two(void *arg) {
  return x ? arg : 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
