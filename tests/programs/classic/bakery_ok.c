/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: Lamport's bakery, two customers with one purchase each */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int choosing[2], number[2];
static int x;
static void *work(void *arg) {
  int me = arg != 0, other = !me, n;
  choosing[me] = 1;
  n = number[other] + 1;
  number[me] = n;
  choosing[me] = 0;
  while (choosing[other])
    ;
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
