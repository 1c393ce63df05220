/* SPDX-License-Identifier: MIT */
/* Four threads mark the slot that the index shows when they run; main moves
 * the index on between creating them. At most four slots are marked; -DBUGGY
 * expects exactly four, but two threads may mark the same one. */
#include "verifier.h"
#define THREADS 4
int array[THREADS], slot;
pthread_mutex_t m;

void *mark(void *arg) {
  pthread_mutex_lock(&m);
  array[slot] = 1;
  pthread_mutex_unlock(&m);
  return 0;
}

void move(void) {
  pthread_mutex_lock(&m);
  slot++;
  pthread_mutex_unlock(&m);
}

int main() {
  pthread_t t[THREADS];
  int i = 0, sum = 0;
  pthread_mutex_init(&m, 0);
  pthread_create(&t[0], 0, mark, 0);
  i++;
  move();
  pthread_create(&t[1], 0, mark, 0);
  i++;
  move();
  pthread_create(&t[2], 0, mark, 0);
  i++;
  move();
  pthread_create(&t[3], 0, mark, 0);
  i++;
  __VERIFIER_assert(i == THREADS);
  i = 0;
  pthread_join(t[0], 0);
  i++;
  pthread_join(t[1], 0);
  i++;
  pthread_join(t[2], 0);
  i++;
  pthread_join(t[3], 0);
  i++;
  __VERIFIER_assert(i == THREADS);
  __VERIFIER_assert(slot < THREADS);
  i = 0;
  sum += array[i++];
  sum += array[i++];
  sum += array[i++];
  sum += array[i++];
  __VERIFIER_assert(i == THREADS);
#ifdef BUGGY
  __VERIFIER_assert(sum == THREADS);
#else
  __VERIFIER_assert(sum <= THREADS);
#endif
  pthread_mutex_destroy(&m);
  return 0;
}
