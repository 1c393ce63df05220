/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a barrier for more than 2^31 - 1 threads is refused, and nobody looks */
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_barrier_t gate;
  unsigned n = 1;
  for (int i = 0; i < 31; i++)
    n *= 2;
  assert(pthread_barrier_init(&gate, NULL, n) == 0);
  return 0;
}
