/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a block that others find in a variable of its maker */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef _Atomic(atomic_int *) place;
static _Atomic(place *) found;

static void *finder(void *arg) {
  place *p = found;
  if (p)
    atomic_fetch_add(*p, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  atomic_int *p = calloc(1, sizeof *p);
  place mine = p;
  if (!p)
    return 0;
  pthread_create(&t, 0, finder, 0);
  found = &mine;
  int before = atomic_fetch_add(p, 1);
  int behind = atomic_fetch_add(p, 1);
  assert(behind == before + 1);
  pthread_join(t, 0);
  return 0;
}
