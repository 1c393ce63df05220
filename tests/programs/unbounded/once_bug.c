/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: an own once: the second caller goes on while the first still
 *   initialises */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int started, ready;
static void *use(void *arg) {
  if (atomic_exchange(&started, 1) == 0)
    ready = 1;
  assert(ready);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, use, 0);
}
