/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: timed waits for semaphores and readers-writer locks: taken or
 *   timed out */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static sem_t s;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *work(void *arg) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (sem_timedwait(&s, &now) == 0)
    sem_post(&s);
  else
    assert(errno == ETIMEDOUT);
  int r = pthread_rwlock_timedwrlock(&l, &now);
  assert(r == 0 || r == ETIMEDOUT);
  if (r == 0) {
    x++;
    pthread_rwlock_unlock(&l);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 1);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x >= 0 && x <= 2);
  return 0;
}
