/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: two thousand threads count by an atomic and read; one of them writes what
 * the others read */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define MANY 2000
static atomic_int running;
static int setting = 1;
static void *worker(void *arg) {
  atomic_fetch_add(&running, 1);
  if ((long)arg == MANY / 3)
    setting = 2;
  else if (setting < 1)
    abort();
  return 0;
}
int main(void) {
  pthread_t *threads = malloc(MANY * sizeof *threads);
  if (!threads)
    return 0;
  for (long i = 0; i < MANY; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < MANY; i++)
    pthread_join(threads[i], 0);
  free(threads);
  return 0;
}
