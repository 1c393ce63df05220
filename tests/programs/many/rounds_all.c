/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: workers with slices of an array and arguments on main's stack, sums under a
 * lock and atomic: one run stands for all */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { WORKERS = 20, EACH = 50 };
typedef struct {
  int from, to;
  long sum;
} slice;

static int data[WORKERS * EACH];
static long total;
static atomic_long rounds;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  slice *mine = arg;
  for (int i = mine->from; i < mine->to; i++) {
    data[i] += i;
    mine->sum += data[i];
    atomic_fetch_add_explicit(&rounds, 1, memory_order_relaxed);
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
  assert(rounds == WORKERS * EACH);
  assert(total == (long)WORKERS * EACH * (WORKERS * EACH - 1) / 2);
  return 0;
}
