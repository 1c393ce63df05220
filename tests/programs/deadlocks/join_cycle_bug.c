/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: main joins a, a joins b, b joins main */
#include <pthread.h>
static pthread_t first, a, b;
static void *join(void *arg) {
  pthread_join(*(pthread_t *)arg, 0);
  return 0;
}
int main(void) {
  first = pthread_self();
  pthread_create(&b, 0, join, &first);
  pthread_create(&a, 0, join, &b);
  pthread_join(a, 0);
  return 0;
}
