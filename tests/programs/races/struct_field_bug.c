/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: three threads on three fields of a struct: two of them on the same */
#include <pthread.h>
static struct { int a, b, c; } s;
static void *one(void *arg) {
  s.a = 1;
  s.b = 1;
  return arg;
}
static void *two(void *arg) {
  s.b = 2;
  s.c = 2;
  return arg;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, one, 0);
  pthread_create(&y, 0, two, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
