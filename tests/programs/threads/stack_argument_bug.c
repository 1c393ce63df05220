/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the function that owns the argument changes it and may return
 *   before the thread reads it */
#include <pthread.h>
static pthread_t t;
static void *work(void *arg) {
  int copy = *(int *)arg;
  return copy == 99 ? arg : 0;
}
static void start(void) {
  int local = 5;
  pthread_create(&t, 0, work, &local);
  local = 6;
}
int main(void) {
  start();
  pthread_join(t, 0);
  return 0;
}
