/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: one thread is told that it is the last at a barrier */
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static void *w(void *a) {
  int r = pthread_barrier_wait(&b);
  if (r)
    assert(0);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, w, 0);
  w(0);
  pthread_join(t, 0);
}
