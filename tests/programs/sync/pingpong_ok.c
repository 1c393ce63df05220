/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ababab"
 * what: two threads take turns with one condition variable */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn, count;
static char log_[8];
static void *player(void *arg) {
  int me = arg != 0;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    while (turn != me)
      pthread_cond_wait(&c, &m);
    assert(count % 2 == me);
    log_[count++] = me ? 'b' : 'a';
    turn = !me;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, player, 0);
  pthread_create(&b, 0, player, &a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 6);
  puts(log_);
  return 0;
}
