/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: draws the ticket in two steps: two threads hold the same one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static unsigned x;
static void *work(void *arg) {
  unsigned mine = next;
  next = mine + 1;
  if (serving == mine) {
    x++;
    serving = mine + 1;
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(next == 2);
  return 0;
}
