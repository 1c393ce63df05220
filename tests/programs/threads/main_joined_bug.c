/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: main is joined, and forgotten; who comes after it is not main */
#include <assert.h>
#include <pthread.h>
pthread_t self;
pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;
void *b(void *p) { return 0; }
void *a(void *p) {
  pthread_t t;
  pthread_join(self, 0);
  self = 0;
  pthread_mutex_lock(&k);
  pthread_mutex_unlock(&k);
  pthread_create(&t, 0, b, 0);
  pthread_join(t, 0);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t;
  self = pthread_self();
  pthread_create(&t, 0, a, 0);
  t = 0;
  pthread_exit(0);
}
