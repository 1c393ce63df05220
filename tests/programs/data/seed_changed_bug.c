/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: rand_r changes its seed, in another thread */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static unsigned seed = 5;
static void *draw(void *arg) {
  (void)rand_r(&seed);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, draw, NULL);
  pthread_join(t, NULL);
  assert(seed == 5);
  return 0;
}
