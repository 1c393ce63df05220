/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the first reader locks writers out, the last lets them in again */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t room;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int readers, x, y;
static void *reader(void *arg) {
  pthread_mutex_lock(&m);
  if (++readers == 1)
    sem_wait(&room);
  pthread_mutex_unlock(&m);
  assert(x == y);
  pthread_mutex_lock(&m);
  if (--readers == 0)
    sem_post(&room);
  pthread_mutex_unlock(&m);
  return arg;
}
static void *writer(void *arg) {
  sem_wait(&room);
  x++;
  y++;
  sem_post(&room);
  return arg;
}
int main(void) {
  pthread_t a, b, w;
  sem_init(&room, 0, 1);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(w, 0);
  return 0;
}
