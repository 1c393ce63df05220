/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: a ticket lock modulo four that lets only three threads draw a
 *   ticket at a time */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t room;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned next, serving, inside;
static unsigned draw(void) {
  pthread_mutex_lock(&m);
  unsigned mine = next;
  next = (next + 1) & 3;
  pthread_mutex_unlock(&m);
  return mine;
}
static int is_mine(unsigned t) {
  pthread_mutex_lock(&m);
  int r = serving == t;
  pthread_mutex_unlock(&m);
  return r;
}
static void *work(void *arg) {
  sem_wait(&room);
  unsigned mine = draw();
  while (!is_mine(mine))
    ;
  assert(inside == 0);
  inside = 1;
  inside = 0;
  pthread_mutex_lock(&m);
  serving = (serving + 1) & 3;
  pthread_mutex_unlock(&m);
  sem_post(&room);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&room, 0, 3);
  while (1)
    pthread_create(&t, 0, work, 0);
}
