/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: the two indexes are assumed different */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int v[4], where[2];
static void *work(void *arg) {
  v[*(int *)arg]++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  where[0] = heddle_nondet_int(0, 3);
  where[1] = heddle_nondet_int(0, 3);
  heddle_assume(where[0] != where[1]);
  pthread_create(&a, 0, work, &where[0]);
  pthread_create(&b, 0, work, &where[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(v[0] + v[1] + v[2] + v[3] == 2);
  return 0;
}
