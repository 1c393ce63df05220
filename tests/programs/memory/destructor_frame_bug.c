/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the destructor of a thread's value gets a variable of a function that has
 * returned */
#include <pthread.h>
static pthread_key_t key;
static void count(void *value) { ++*(int *)value; }
static void *work(void *arg) {
  int n = 0;
  pthread_setspecific(key, &n);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, count);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
