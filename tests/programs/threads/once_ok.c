/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: pthread_once: the first caller initialises, all see it */
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls, table[2];
static void init(void) {
  calls++;
  table[0] = 3;
  table[1] = 4;
}
static void *work(void *arg) {
  pthread_once(&once, init);
  assert(calls == 1 && table[0] + table[1] == 7);
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
