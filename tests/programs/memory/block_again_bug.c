/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the address of a block that another thread frees comes again */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) place;
static atomic_int same;

static void *worker(void *arg) {
  int *old = place, *mine = malloc(16);
  if (mine && mine == old)
    same = 1;
  place = mine;
  free(mine);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(!same);
  return 0;
}
