/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a counter in the assembler of x86 that is read and then changed, each
 *   atomically */
#include <assert.h>
#include <pthread.h>
static int count;
static int fetch_add(int *at, int by) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(*at) : : "memory");
  return by;
}
static void *worker(void *arg) {
  if (fetch_add(&count, 0) == 0)
    fetch_add(&count, 1);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(fetch_add(&count, 0) == 1);
  return 0;
}
