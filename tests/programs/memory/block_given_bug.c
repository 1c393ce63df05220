/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a block that a thread gives to the thread that it makes */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *finder(void *arg) {
  atomic_fetch_add((atomic_int *)arg, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  atomic_int *p = calloc(1, sizeof *p);
  if (!p)
    return 0;
  pthread_create(&t, 0, finder, p);
  int before = atomic_fetch_add(p, 1);
  int behind = atomic_fetch_add(p, 1);
  assert(behind == before + 1);
  pthread_join(t, 0);
  return 0;
}
