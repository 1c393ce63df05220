/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a sequence lock: a reader repeats until no write came in between */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static atomic_int a, b;
static void *writer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    seq++;
    a = i;
    b = i;
    seq++;
  }
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
