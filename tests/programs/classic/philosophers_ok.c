/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: one philosopher takes the right fork first */
#include <assert.h>
#include <pthread.h>
#define N 3
static pthread_mutex_t fork_[N];
static int meals[N];
static void *dine(void *arg) {
  int i = (int)(long)arg, left = i, right = (i + 1) % N;
  pthread_mutex_lock(&fork_[i == N - 1 ? right : left]);
  pthread_mutex_lock(&fork_[i == N - 1 ? left : right]);
  meals[i]++;
  pthread_mutex_unlock(&fork_[left]);
  pthread_mutex_unlock(&fork_[right]);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&fork_[i], 0);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, dine, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(meals[0] + meals[1] + meals[2] == N);
  return 0;
}
