/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a thread gives back a block of memory */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *w(void *a) {
  int *p = malloc(sizeof *p);
  if (p)
    *p = 1;
  return p;
}
int main(void) {
  pthread_t t;
  void *r;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, &r);
  if (r)
    assert(*(int *)r == 0);
}
