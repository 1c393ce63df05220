/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: different fields of one struct are different objects */
#include <assert.h>
#include <pthread.h>
static struct {
  char a, b;
  short c;
} s;
static void *one(void *arg) {
  s.a = 1;
  s.c = 5;
  return arg;
}
static void *two(void *arg) {
  s.b = 2;
  return arg;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, one, 0);
  pthread_create(&y, 0, two, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(s.a == 1 && s.b == 2 && s.c == 5);
  return 0;
}
