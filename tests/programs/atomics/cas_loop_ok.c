/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the maximum of all threads' values by a compare-and-swap loop */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int max;
static void *work(void *arg) {
  int mine = (int)(intptr_t)arg, old = atomic_load(&max);
  while (mine > old && !atomic_compare_exchange_weak(&max, &old, mine))
    ;
  return 0;
}
int main(void) {
  pthread_t t[3];
  static const int v[] = {2, 3, 1};
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, work, (void *)(intptr_t)v[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(max == 3);
  return 0;
}
