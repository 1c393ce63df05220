/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: both threads may write, but a flag lets only one of them */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag taken = ATOMIC_FLAG_INIT;
static int winner;
static void *work(void *arg) {
  if (!atomic_flag_test_and_set(&taken))
    winner = arg ? 2 : 1;
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, &winner);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(winner == 1 || winner == 2);
  return 0;
}
