/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: skip it creates threads without end
 * options: --engine=pairs
 * what: cells of two words are handed out from an array under a lock made of a
 *   variable; the index stays odd and inside, 0 means none is left */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
static int words[101], next = 1, newest, busy;
static void __VERIFIER_atomic_enter(void) {
  __VERIFIER_assume(busy == 0);
  busy = 1;
}
static void __VERIFIER_atomic_leave(void) {
  busy = 0;
}
static int take_cell(void) {
  int cell = 0;
  __VERIFIER_atomic_enter();
  if (next + 1 <= 100) {
    cell = next;
    next += 2;
  }
  __VERIFIER_atomic_leave();
  return cell;
}
static void *writer(void *arg) {
  int cell = take_cell();
  if (!cell)
    return arg;
  words[cell] = 5;
  __VERIFIER_atomic_enter();
  words[cell + 1] = newest;
  newest = cell;
  __VERIFIER_atomic_leave();
  assert(newest != 0);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, writer, 0);
}
