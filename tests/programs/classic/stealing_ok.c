/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a deque of jobs: the owner takes from the bottom, a thief from the
 *   top, each job is done once */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int top, bottom = 2, done[2];
static int take(void) {
  int b = bottom - 1;
  bottom = b;
  int t = top;
  if (b < t) {
    bottom = t;
    return -1;
  }
  if (b > t)
    return b;
  int won = atomic_compare_exchange_strong(&top, &t, t + 1);
  bottom = b + 1;
  return won ? b : -1;
}
static int steal(void) {
  int t = top, b = bottom;
  if (t >= b)
    return -1;
  int job = t;
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? job : -1;
}
static void run(int job) {
  if (job >= 0)
    assert(atomic_fetch_add(&done[job], 1) == 0);
}
static void *thief(void *arg) {
  run(steal());
  run(steal());
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thief, 0);
  run(take());
  run(take());
  pthread_join(t, 0);
  return 0;
}
