/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the larger of two inputs of 32 bits, found by two threads in either
 *   order: too many values to try, and relations that no interval knows */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a, b, most = INT_MIN;
static void *take_a(void *arg) {
  pthread_mutex_lock(&m);
  if (a > most)
    most = a;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *take_b(void *arg) {
  pthread_mutex_lock(&m);
  if (b > most)
    most = b;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t, u;
  a = __VERIFIER_nondet_int();
  b = __VERIFIER_nondet_int();
  pthread_create(&t, NULL, take_a, NULL);
  pthread_create(&u, NULL, take_b, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(most >= a && most >= b);
  assert(most == a || most == b);
  return 0;
}
