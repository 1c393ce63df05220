/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: only two of three philosophers may sit down at the same time */
#include <pthread.h>
#include <semaphore.h>
#define N 3
static pthread_mutex_t fork_[N];
static sem_t seats;
static void *dine(void *arg) {
  int i = (int)(long)arg;
  sem_wait(&seats);
  pthread_mutex_lock(&fork_[i]);
  pthread_mutex_lock(&fork_[(i + 1) % N]);
  pthread_mutex_unlock(&fork_[(i + 1) % N]);
  pthread_mutex_unlock(&fork_[i]);
  sem_post(&seats);
  return 0;
}
int main(void) {
  pthread_t t[N];
  sem_init(&seats, 0, N - 1);
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&fork_[i], 0);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, dine, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return 0;
}
