/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: the second result is read after the join of the first thread */
#include <pthread.h>
static int result[2];
static void *work(void *arg) {
  int *mine = arg;
  *mine = 7;
  return 0;
}
int main(void) {
  pthread_t a, b;
  int sum = 0;
  pthread_create(&a, 0, work, &result[0]);
  pthread_create(&b, 0, work, &result[1]);
  pthread_join(a, 0);
  sum += result[0] + result[1];
  pthread_join(b, 0);
  return sum >= 0 ? 0 : 1;
}
