/* SPDX-License-Identifier: MIT */
/* N threads use two licences, counted by a semaphore. BUG: three are given out. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef N
#define N 3
#endif
static sem_t licences;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int used, served;

static void *user(void *arg) {
  sem_wait(&licences);
  pthread_mutex_lock(&m);
  used++;
  assert(used <= 2);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  used--;
  served++;
  pthread_mutex_unlock(&m);
  sem_post(&licences);
  return arg;
}

int main(void) {
  pthread_t t[N];
#ifdef BUG
  sem_init(&licences, 0, 3);
#else
  sem_init(&licences, 0, 2);
#endif
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, user, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(served == N && used == 0);
  return 0;
}
