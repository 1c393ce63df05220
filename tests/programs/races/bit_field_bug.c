/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: neighbouring bit-fields share their memory: one thread can undo
 *   what the other has written */
#include <assert.h>
#include <pthread.h>
static struct { unsigned a : 4, b : 4; } s;
static void *one(void *arg) {
  s.a = 1;
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
  assert(s.a == 1 && s.b == 2);
  return 0;
}
