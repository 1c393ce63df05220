/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="12"
 * what: a pool of two threads works on three jobs and is shut down by a
 *   broadcast */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int jobs[3], first, last, closed, sum;
static void *worker(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (first == last && !closed)
      pthread_cond_wait(&work, &m);
    if (first == last) {
      pthread_mutex_unlock(&m);
      return arg;
    }
    int job = jobs[first++];
    pthread_mutex_unlock(&m);
    job *= 2;
    pthread_mutex_lock(&m);
    sum += job;
    pthread_mutex_unlock(&m);
  }
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  for (int i = 1; i <= 3; i++) {
    pthread_mutex_lock(&m);
    jobs[last++] = i;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_cond_broadcast(&work);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum == 12);
  printf("%d\n", sum);
  return 0;
}
