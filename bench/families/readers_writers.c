/* SPDX-License-Identifier: MIT */
/* Readers and writers by hand: a number of readers under a mutex, the first takes
 * the room and the last gives it back (a semaphore). BUG: the number is lowered
 * without the mutex. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef N
#define N 2
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers, writing, data;

static void *reader(void *arg) {
  pthread_mutex_lock(&m);
  if (++readers == 1)
    sem_wait(&room);
  pthread_mutex_unlock(&m);
  assert(!writing);
#ifndef BUG
  pthread_mutex_lock(&m);
#endif
  if (--readers == 0)
    sem_post(&room);
#ifndef BUG
  pthread_mutex_unlock(&m);
#endif
  return arg;
}

static void *writer(void *arg) {
  sem_wait(&room);
  writing = 1;
  data++;
  writing = 0;
  sem_post(&room);
  return arg;
}

int main(void) {
  pthread_t r[N], w[N];
  sem_init(&room, 0, 1);
  for (int i = 0; i < N; i++) {
    pthread_create(&r[i], 0, reader, 0);
    pthread_create(&w[i], 0, writer, 0);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(r[i], 0);
    pthread_join(w[i], 0);
  }
  assert(data == N && readers == 0);
  return 0;
}
