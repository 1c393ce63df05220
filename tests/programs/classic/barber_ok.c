/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the sleeping barber with one chair and two customers */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t customers, chair;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int waiting, closed, served, away;
static void *barber(void *arg) {
  for (;;) {
    sem_wait(&customers);
    pthread_mutex_lock(&m);
    if (waiting == 0) {
      assert(closed);
      pthread_mutex_unlock(&m);
      return arg;
    }
    waiting--;
    served++;
    sem_post(&chair);
    pthread_mutex_unlock(&m);
  }
}
static void *customer(void *arg) {
  pthread_mutex_lock(&m);
  if (waiting == 1) {
    away++;
    pthread_mutex_unlock(&m);
    return arg;
  }
  waiting++;
  sem_post(&customers);
  pthread_mutex_unlock(&m);
  sem_wait(&chair);
  return arg;
}
int main(void) {
  pthread_t t, a, b;
  sem_init(&customers, 0, 0);
  sem_init(&chair, 0, 0);
  pthread_create(&t, 0, barber, 0);
  pthread_create(&a, 0, customer, 0);
  pthread_create(&b, 0, customer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_mutex_unlock(&m);
  sem_post(&customers);
  pthread_join(t, 0);
  assert(served + away == 2 && served >= 1);
  return 0;
}
