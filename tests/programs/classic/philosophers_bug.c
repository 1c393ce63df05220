/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: three philosophers take the left fork first */
#include <pthread.h>
#define N 3
static pthread_mutex_t fork_[N];
static int meals[N];
static void *dine(void *arg) {
  int i = (int)(long)arg;
  pthread_mutex_lock(&fork_[i]);
  pthread_mutex_lock(&fork_[(i + 1) % N]);
  meals[i]++;
  pthread_mutex_unlock(&fork_[(i + 1) % N]);
  pthread_mutex_unlock(&fork_[i]);
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
  return 0;
}
