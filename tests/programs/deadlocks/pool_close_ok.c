/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the end of the pool is told to all threads */
#include <pthread.h>
#define JOBS 1
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int queue[JOBS], head, tail, closed;
static int done[JOBS];
static void *worker(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (head == tail && !closed)
      pthread_cond_wait(&c, &m);
    if (head == tail) {
      pthread_mutex_unlock(&m);
      return arg;
    }
    int job = queue[head++];
    pthread_mutex_unlock(&m);
    done[job] = 1;
  }
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  for (int i = 0; i < JOBS; i++) {
    pthread_mutex_lock(&m);
    queue[tail++] = i;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return done[0] == 1 ? 0 : 1;
}
