/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: memcmp compares all bytes it is told of, also behind the first that differ */
#include <pthread.h>
#include <string.h>
char a[4] = {1}, b[4];
int r;
void *set(void *arg) {
  b[2] = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  r = memcmp(a, b, 4);
  pthread_join(t, 0);
  return 0;
}
