/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: a cleanup handler runs inside of the function, whose variables are there */
#include <assert.h>
#include <pthread.h>
static void count(void *value) { ++*(int *)value; }
static void *work(void *arg) {
  int n = 0;
  pthread_cleanup_push(count, &n);
  pthread_cleanup_pop(1);
  assert(n == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
