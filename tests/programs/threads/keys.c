/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="2"
 * what: thread-specific data: each thread sees its own value, destructors
 *   run for values that are not null */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;
static void drop(void *value) {
  pthread_mutex_lock(&m);
  destroyed += *(int *)value;
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, arg);
  assert(pthread_getspecific(key) == arg);
  return 0;
}
int main(void) {
  static int one = 1;
  pthread_t t[3];
  pthread_key_create(&key, drop);
  pthread_create(&t[0], 0, work, &one);
  pthread_create(&t[1], 0, work, &one);
  pthread_create(&t[2], 0, work, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(pthread_getspecific(key) == 0 && destroyed == 2);
  printf("%d\n", destroyed);
  pthread_key_delete(key);
  return 0;
}
