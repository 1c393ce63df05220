/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a producer is ahead of the consumer, but not by more than four */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int head, tail;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *produce(void *arg) {
  for (int k = 0; k < 6; k++) {
    int wants = heddle_nondet_int(0, 1000);
    pthread_mutex_lock(&m);
    if (wants > 100 && tail < head + 4)
      tail++;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
static void *consume(void *arg) {
  for (int k = 0; k < 6; k++) {
    pthread_mutex_lock(&m);
    if (head < tail)
      head++;
    assert(head <= tail && tail - head <= 4);
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(head <= tail && tail - head <= 4);
  return 0;
}
