/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a block that is known to others by the block it is in */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
  atomic_int *inner;
};
static _Atomic(struct box *) place;

static void *maker(void *arg) {
  atomic_int *p = calloc(1, sizeof *p);
  struct box *box = malloc(sizeof *box);
  if (!p || !box)
    return arg;
  box->inner = p;
  place = box;
  int before = atomic_fetch_add(p, 1);
  int behind = atomic_fetch_add(p, 1);
  assert(behind == before + 1);
  return arg;
}

static void *finder(void *arg) {
  struct box *box = place;
  if (box)
    atomic_fetch_add(box->inner, 1);
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
