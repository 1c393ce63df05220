/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: slices that overlap in one element; sums under a lock */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 4, EACH = 50 };
typedef struct {
  int from, to;
  long sum;
} slice;

static int data[WORKERS * EACH];
static long total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  slice *mine = arg;
  for (int i = mine->from; i <= mine->to && i < WORKERS * EACH; i++) {
    data[i] += i;
    mine->sum += data[i];
  }
  pthread_mutex_lock(&m);
  total += mine->sum;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t threads[WORKERS];
  slice slices[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    slices[i] = (slice){i * EACH, (i + 1) * EACH, 0};
    if (pthread_create(&threads[i], NULL, worker, &slices[i]))
      abort();
  }
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
