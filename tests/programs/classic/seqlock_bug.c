/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the reader looks at the sequence number before it reads only */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static atomic_int a, b;
static void *writer(void *arg) {
  seq++;
  a = 1;
  b = 1;
  seq++;
  return arg;
}
int main(void) {
  pthread_t t;
  int x, y;
  pthread_create(&t, 0, writer, 0);
  while (seq % 2 == 1)
    ;
  x = a;
  y = b;
  assert(x == y);
  pthread_join(t, 0);
  return 0;
}
