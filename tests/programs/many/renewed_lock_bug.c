/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=UNSAFE
 * native: any
 * what: a thread makes the lock anew that others use */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *a(void *p) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
void *b(void *p) {
  pthread_mutex_init(&m, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, a, 0);
  pthread_create(&t, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  return 0;
}
