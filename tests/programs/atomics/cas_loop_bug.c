/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the maximum by test and store: a smaller value can overwrite a
 *   larger one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int max;
static void *work(void *arg) {
  int mine = (int)(intptr_t)arg;
  if (mine > atomic_load(&max))
    atomic_store(&max, mine);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, (void *)2);
  pthread_create(&b, 0, work, (void *)3);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(max == 3);
  return 0;
}
