/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: one thread reads what another writes; no value is wrong, still a
 *   race */
#include <assert.h>
#include <pthread.h>
static int x;
static void *writer(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int v = x;
  assert(v == 0 || v == 1);
  pthread_join(t, 0);
  return 0;
}
