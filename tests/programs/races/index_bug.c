/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: two threads write elements whose indexes are inputs that may be
 *   equal */
#include <heddle.h>
#include <pthread.h>
static int v[4], where[2];
static void *work(void *arg) {
  v[*(int *)arg] = 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  where[0] = heddle_nondet_int(0, 3);
  where[1] = heddle_nondet_int(0, 3);
  pthread_create(&a, 0, work, &where[0]);
  pthread_create(&b, 0, work, &where[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
