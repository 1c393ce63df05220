/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: writing the same value twice is a race all the same */
#include <pthread.h>
static int x;
static void *writer(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
