/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: joining the outer thread does not join the inner one */
#include <assert.h>
#include <pthread.h>
static int x;
static void *inner(void *arg) {
  x = 1;
  return arg;
}
static void *outer(void *arg) {
  pthread_t t;
  pthread_create(&t, 0, inner, 0);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, outer, 0);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}
