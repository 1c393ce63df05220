/* SPDX-License-Identifier: MIT */
/* Two counters that two threads increment without a lock. */
#include <pthread.h>

int hits, total;

void *worker(void *arg) {
  hits++;
  total++;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  return 0;
}
