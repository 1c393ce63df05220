/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: two threads wait for each other by spinning: nobody gets on, but
 *   nobody is blocked either */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;
static void *one(void *arg) {
  while (!b)
    ;
  a = 1;
  return arg;
}
static void *two(void *arg) {
  while (!a)
    ;
  b = 1;
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
