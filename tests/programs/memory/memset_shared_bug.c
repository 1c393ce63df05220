/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: memset in memory that another thread reads */
#include <assert.h>
#include <pthread.h>
#include <string.h>
static char buf[8];
static void *w(void *a) {
  memset(buf, 1, 8);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  assert(buf[3] == 0);
  pthread_join(t, 0);
}
