/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: each thread also writes into the next slot */
#include <pthread.h>
#define N 3
static int slot[N + 1];
static void *work(void *arg) {
  long me = (long)arg;
  for (int i = 0; i < 4; i++)
    slot[me + (i == 3)] += i;
  return 0;
}
int main(void) {
  pthread_t t[N];
  int sum = 0;
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < N; i++)
    sum += slot[i];
  return sum == 18 ? 0 : 1;
}
