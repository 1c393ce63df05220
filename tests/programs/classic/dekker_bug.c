/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: looks at the other's flag before it raises its own */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2];
static int x;
static void *work(void *arg) {
  int me = arg != 0;
  while (want[!me])
    ;
  want[me] = 1;
  x++;
  want[me] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &x);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
