/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: many blocks from one place, all used under a lock; one is cleared */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *last, *before;
static void *clear(void *arg) {
  pthread_mutex_lock(&m);
  int *x = last, *y = before;
  memset(x, 0, sizeof *x);
  assert(*y == 0);
  *x = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  for (int i = 0; i < 6; i++) {
    before = last;
    last = calloc(1, sizeof *last);
    if (!last)
      return 0;
    *last = 1;
  }
  pthread_t t, u;
  pthread_create(&t, 0, clear, 0);
  pthread_create(&u, 0, clear, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
