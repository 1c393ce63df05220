/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: threads that a function starts, which a loop calls */
#include <pthread.h>
static int g;
static void *w(void *a) {
  g++;
  return a;
}
__attribute__((noinline)) static void go(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
}
int main(void) {
  for (int i = 0; i < 2; i++)
    go();
}
