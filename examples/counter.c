/* SPDX-License-Identifier: MIT */
/* Two threads count, without a lock. */
#include <assert.h>
#include <pthread.h>

int counter;

void *worker(void *arg) {
  counter++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
