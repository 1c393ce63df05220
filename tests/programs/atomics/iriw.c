/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: two readers agree on the order of two independent writes */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b, c, d;
static void *w1(void *arg) {
  x = 1;
  return arg;
}
static void *w2(void *arg) {
  y = 1;
  return arg;
}
static void *r1(void *arg) {
  a = x;
  b = y;
  return arg;
}
static void *r2(void *arg) {
  c = y;
  d = x;
  return arg;
}
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, w1, 0);
  pthread_create(&t[1], 0, w2, 0);
  pthread_create(&t[2], 0, r1, 0);
  pthread_create(&t[3], 0, r2, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  assert(!(a == 1 && b == 0 && c == 1 && d == 0));
  return 0;
}
