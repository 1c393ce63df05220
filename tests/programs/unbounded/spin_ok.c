/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: a spin lock taken by compare-and-swap */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic unsigned char lock, inside;
static void *work(void *arg) {
  unsigned char zero = 0;
  while (!atomic_compare_exchange_strong(&lock, &zero, 1))
    zero = 0;
  assert(inside == 0);
  inside = 1;
  inside = 0;
  lock = 0;
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, work, 0);
}
