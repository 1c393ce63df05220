/* SPDX-License-Identifier: MIT */
/* A ring of N threads passes a token on with semaphores; each adds to it. BUG: two
 * tokens are in the ring. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif
static sem_t turn[N];
static int token;

static void *peer(void *arg) {
  int i = (int)(long)arg;
  for (int k = 0; k < K; k++) {
    sem_wait(&turn[i]);
    int t = token;
    assert(t % N == i);
    token = t + 1;
    sem_post(&turn[(i + 1) % N]);
  }
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    sem_init(&turn[i], 0, i == 0);
#ifdef BUG
  sem_post(&turn[N / 2]);
#endif
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, peer, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(token == N * K);
  return 0;
}
