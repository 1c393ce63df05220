/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the new thread may look at its id before it is stored */
#include <assert.h>
#include <pthread.h>
static pthread_t ids[2];
static void *work(void *arg) {
  assert(pthread_equal(ids[1], pthread_self()));
  return arg;
}
int main(void) {
  pthread_create(&ids[1], 0, work, 0);
  pthread_join(ids[1], 0);
  return 0;
}
