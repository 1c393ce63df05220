/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the bakery without the choosing flag: two equal tickets, one seen
 *   too late */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int number[2];
static int x;
static void *work(void *arg) {
  int me = arg != 0, other = !me, n;
  n = number[other] + 1;
  number[me] = n;
  for (;;) {
    int o = number[other];
    if (o == 0 || o > n || (o == n && other > me))
      break;
  }
  x++;
  number[me] = 0;
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
