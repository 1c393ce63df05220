/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a ticket lock: three threads, served in the order of their tickets */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static unsigned x;
static void *work(void *arg) {
  unsigned mine = atomic_fetch_add(&next, 1);
  while (serving != mine)
    ;
  assert(x == mine);
  x++;
  serving = mine + 1;
  return arg;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(x == 3);
  return 0;
}
