/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the same under a mutex */
#include <pthread.h>
extern void __VERIFIER_error(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a = 0, b = 0;
void *set(void *arg) {
  pthread_mutex_lock(&m);
  a = 1;
  b = -1;
  pthread_mutex_unlock(&m);
  return 0;
}
void *check(void *arg) {
  pthread_mutex_lock(&m);
  int good = (a == 0 && b == 0) || (a == 1 && b == -1);
  pthread_mutex_unlock(&m);
  if (!good)
  ERROR:
    __VERIFIER_error();
  return 0;
}
int main() {
  pthread_t s, t, c;
  pthread_create(&s, 0, set, 0);
  pthread_create(&t, 0, set, 0);
  pthread_create(&c, 0, check, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_join(c, 0);
  return 0;
}
