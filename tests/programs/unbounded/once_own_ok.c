/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: an own once with three states: late callers wait until the first
 *   is done */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { FRESH, BUSY, DONE };
static _Atomic unsigned char state;
static int value;
static void *use(void *arg) {
  unsigned char fresh = FRESH;
  if (atomic_compare_exchange_strong(&state, &fresh, BUSY)) {
    assert(value == 0);
    value = 1;
    state = DONE;
  } else
    while (state != DONE)
      ;
  assert(value == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, use, 0);
}
