/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: two of them, one inside of the other */
#include <pthread.h>
static pthread_once_t o = PTHREAD_ONCE_INIT, p = PTHREAD_ONCE_INIT;
static int n;
static void inner(void) {
  n++;
}
static void outer(void) {
  pthread_once(&p, inner);
}
static void *run(void *arg) {
  pthread_once(&o, outer);
  pthread_once(&p, inner);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return n == 1 ? 0 : 1;
}
