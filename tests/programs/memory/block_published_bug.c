/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a block that its maker puts into a global variable */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) place;

static void *maker(void *arg) {
  atomic_int *p = calloc(1, sizeof *p);
  if (!p)
    return arg;
  place = p;
  int before = atomic_fetch_add(p, 1);
  int behind = atomic_fetch_add(p, 1);
  assert(behind == before + 1);
  return arg;
}

static void *finder(void *arg) {
  atomic_int *p = place;
  if (p)
    atomic_fetch_add(p, 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, maker, 0);
  pthread_create(&b, 0, finder, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
