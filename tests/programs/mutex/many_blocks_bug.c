/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: many blocks from one place under one lock */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static int *mk(void) {
  int *x = calloc(1, sizeof *x);
  if (!x)
    exit(0);
  *x = 1;
  return x;
}
static int *p, *q;
static void *w(void *a) {
  pthread_mutex_lock(&m);
  *p = 0;
  assert(*q == 0);
  *p = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  mk();
  mk();
  mk();
  p = mk(), q = mk();
  pthread_t t, u;
  pthread_create(&t, 0, w, 0);
  pthread_create(&u, 0, w, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
