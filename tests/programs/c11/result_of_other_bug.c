/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: an int that is asked for as a pointer has its sign */
#include <assert.h>
#include <pthread.h>
#include <threads.h>
int a(void *p) { return -1; }
int main(void) {
  thrd_t t;
  void *r;
  thrd_create(&t, a, 0);
  pthread_join((pthread_t)t, &r);
  assert(r == (void *)0xffffffff);
  return 0;
}
