/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: tests the lock and sets it in two steps */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
static atomic_bool lock, inside;
static void *work(void *arg) {
  while (lock)
    ;
  lock = true;
  assert(!inside);
  inside = true;
  inside = false;
  lock = false;
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, work, 0);
}
