/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: threads that nobody has joined yet have ids of their own, also when others
 * are gone */
#include <assert.h>
#include <pthread.h>
static void *work(void *arg) { return arg; }
int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_create(&third, NULL, work, NULL);
  assert(!pthread_equal(second, third));
  assert(!pthread_equal(second, pthread_self()));
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
