/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: threads that only read do not race */
#include <assert.h>
#include <pthread.h>
static int table[3] = {1, 2, 3};
static void *work(void *arg) {
  assert(table[0] + table[1] + table[2] == 6);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  work(0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
