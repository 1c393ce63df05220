/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a sequence lock over plain data: no wrong value comes out, but
 *   reader and writer race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static int a, b;
static void *writer(void *arg) {
  seq++;
  a = 1;
  b = 1;
  seq++;
  return arg;
}
int main(void) {
  pthread_t t;
  unsigned s;
  int x, y;
  pthread_create(&t, 0, writer, 0);
  do {
    s = seq;
    x = a;
    y = b;
  } while (s % 2 == 1 || seq != s);
  assert(x == y);
  pthread_join(t, 0);
  return 0;
}
