/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the same with an ordinary static counter */
#include <assert.h>
#include <pthread.h>
static int depth = 10;
static void *work(void *arg) {
  depth = 10;
  depth++;
  depth++;
  assert(depth == 12);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
