/* SPDX-License-Identifier: MIT */
/* N threads get a struct of the heap each and add what is in it to a total under a
 * lock. BUG: the lock is left out. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct job {
  int first, last, result;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *arg) {
  struct job *job = arg;
  for (int i = job->first; i < job->last; i++)
    job->result += i;
#ifndef BUG
  pthread_mutex_lock(&m);
#endif
  total += job->result;
#ifndef BUG
  pthread_mutex_unlock(&m);
#endif
  return job;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    struct job *job = malloc(sizeof *job);
    if (!job)
      abort();
    job->first = 4 * i;
    job->last = 4 * i + 4;
    job->result = 0;
    pthread_create(&t[i], 0, worker, job);
  }
  int sum = 0;
  for (int i = 0; i < N; i++) {
    void *p;
    pthread_join(t[i], &p);
    sum += ((struct job *)p)->result;
    free(p);
  }
  assert(sum == total && total == 4 * N * (4 * N - 1) / 2);
  return 0;
}
