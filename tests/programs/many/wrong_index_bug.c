/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=UNSAFE
 * native: any
 * what: a thread opens another lock than it took, perhaps somebody else's */
#include <pthread.h>
pthread_mutex_t m[100];
int x;
int g;
int __VERIFIER_nondet_int(void);
void *a(void *p) {
  pthread_mutex_lock(&m[0]);
  x++;
  pthread_mutex_unlock(&m[0]);
  return 0;
}
void *b(void *p) {
  unsigned i = (unsigned)__VERIFIER_nondet_int() % 100,
           k = (unsigned)__VERIFIER_nondet_int() % 100;
  pthread_mutex_lock(&m[i]);
  g = 0;
  pthread_mutex_unlock(&m[k]);
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 100; i++)
    pthread_mutex_init(&m[i], 0);
  pthread_create(&t, 0, a, 0);
  pthread_create(&t, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  return 0;
}
