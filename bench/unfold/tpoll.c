/* SPDX-License-Identifier: MIT */
/* N sorters take a number and sort their slice of a shared array, then report
 * through a channel of their own. Main polls the channels and counts, but the
 * same report may be counted again and again: it leaves before all are done.
 * -DN=2 -DMAX_ITEMS=7, 3 and 30, 4 and 15. */
#include "verifier.h"
#ifndef N
#define N 2
#endif
#ifndef MAX_ITEMS
#define MAX_ITEMS 7
#endif
int items[MAX_ITEMS], first[N], last[N], channel[N], th_id;
pthread_mutex_t id_lock, channel_lock[N];

void *sorter(void *arg) {
  int id, lo, hi, i, j, t;
  pthread_mutex_lock(&id_lock);
  id = th_id;
  th_id++;
  pthread_mutex_unlock(&id_lock);
  __VERIFIER_assert(id >= 0);
  __VERIFIER_assert(id < N);
  lo = first[id];
  hi = last[id];
  __VERIFIER_assert(lo >= 0);
  __VERIFIER_assert(lo < MAX_ITEMS);
  __VERIFIER_assert(hi >= 0);
  __VERIFIER_assert(hi < MAX_ITEMS);
  for (i = lo; i < hi; i++)
    for (j = lo; j < hi; j++)
      if (items[j] > items[j + 1]) {
        t = items[j];
        items[j] = items[j + 1];
        items[j + 1] = t;
      }
  pthread_mutex_lock(&channel_lock[id]);
  channel[id] = 1;
  pthread_mutex_unlock(&channel_lock[id]);
  return 0;
}

int main() {
  pthread_t t[N];
  int i, k = 0;
  pthread_mutex_init(&id_lock, 0);
  for (i = 0; i < N; i++) {
    pthread_mutex_init(&channel_lock[i], 0);
    first[i] = i * (MAX_ITEMS / N);
    last[i] = i == N - 1 ? MAX_ITEMS - 1 : (i + 1) * (MAX_ITEMS / N) - 1;
  }
  __VERIFIER_assert(i == N);
  items[__VERIFIER_nondet_int(0, MAX_ITEMS - 1)] = __VERIFIER_nondet_int(0, 20);
  for (i = 0; i < N; i++)
    pthread_create(&t[i], 0, sorter, 0);
  __VERIFIER_assert(i == N);
  while (k < N) {
    for (i = 0; i < N; i++) {
      pthread_mutex_lock(&channel_lock[i]);
      if (channel[i] == 1)
        k++;
      pthread_mutex_unlock(&channel_lock[i]);
    }
    __VERIFIER_assert(i == N);
  }
  __VERIFIER_assert(th_id == N);
  __VERIFIER_assert(k == N);
  for (i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return 0;
}
