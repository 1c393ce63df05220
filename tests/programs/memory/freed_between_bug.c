/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: main reads a block before it is freed, or behind that, where the run ends:
 * only the first way leads to the assertion */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *giver(void *arg) {
  int *mine = malloc(sizeof *mine);
  if (!mine)
    exit(0);
  *mine = 1;
  shared = mine;
  free(mine);
  return arg;
}
int main(void) {
  pthread_t t, self = pthread_self();
  int value = 0;
  pthread_create(&t, 0, giver, 0);
  int *seen = shared;
  if (seen)
    value = *seen;
  if (!value)
    exit(5);
  pthread_join(t, 0);
  assert(self == 0);
  return 0;
}
