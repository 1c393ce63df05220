/* SPDX-License-Identifier: MIT */
/* N workers count a letter, each in its own slice of a shared sequence; main
 * adds up. That the sum is at most N slices needs the bound of each thread,
 * summed over an array. -DN=2, 3 or 4. */
#include "verifier.h"
#ifndef N
#define N 2
#endif
#define SLICE 30
int sequence[N * SLICE], result[N], target, next_id;
pthread_mutex_t id_lock, result_lock;

void *worker(void *arg) {
  int id, wanted, i, count = 0;
  pthread_mutex_lock(&id_lock);
  id = next_id;
  next_id++;
  wanted = target;
  pthread_mutex_unlock(&id_lock);
  __VERIFIER_assert(id >= 0);
  __VERIFIER_assert(id <= N);
  for (i = 0; i < SLICE; i++)
    if (sequence[id * SLICE + i] == wanted)
      count++;
  if (count > SLICE)
    count = SLICE;
  __VERIFIER_assert(count <= SLICE);
  pthread_mutex_lock(&result_lock);
  result[id] = count;
  pthread_mutex_unlock(&result_lock);
  return 0;
}

int main() {
  pthread_t t[N];
  int i = 0, k, count = 0;
  pthread_mutex_init(&id_lock, 0);
  pthread_mutex_init(&result_lock, 0);
  sequence[__VERIFIER_nondet_int(0, N * SLICE - 1)] =
      __VERIFIER_nondet_int(0, 3);
  target = __VERIFIER_nondet_int(0, 3);
  pthread_create(&t[0], 0, worker, 0);
  i++;
  pthread_create(&t[1], 0, worker, 0);
  i++;
#if N > 2
  pthread_create(&t[2], 0, worker, 0);
  i++;
#endif
#if N > 3
  pthread_create(&t[3], 0, worker, 0);
  i++;
#endif
  __VERIFIER_assert(i == N);
  i = 0;
  pthread_join(t[0], 0);
  i++;
  pthread_join(t[1], 0);
  i++;
#if N > 2
  pthread_join(t[2], 0);
  i++;
#endif
#if N > 3
  pthread_join(t[3], 0);
  i++;
#endif
  __VERIFIER_assert(i == N);
  for (k = 0; k < N; k++)
    count += result[k];
  __VERIFIER_assert(count >= 0);
  __VERIFIER_assert(count <= N * SLICE);
  pthread_mutex_destroy(&id_lock);
  pthread_mutex_destroy(&result_lock);
  return 0;
}
