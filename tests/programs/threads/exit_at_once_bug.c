/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a thread may see what main wrote just before it ended the program */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int closed;
static void *run(void *arg) {
  assert(!closed);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  closed = 1;
  exit(0);
}
