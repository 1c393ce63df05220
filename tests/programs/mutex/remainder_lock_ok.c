/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: one lock of several, whose number is a remainder; that it is none below
 *   the first one is known from what it is the remainder of */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static pthread_mutex_t locks[256];
static _Atomic int level;
static void *user(void *arg) {
  int number = heddle_nondet_int(-2, 1000000);
  int i = number % 256;
  if (number < 0)
    return arg;
  pthread_mutex_lock(&locks[i]);
  level++;
  level--;
  assert(i < 256);
  pthread_mutex_unlock(&locks[i]);
  return arg;
}
int main(void) {
  pthread_t t, u;
  for (int i = 0; i < 256; i++)
    pthread_mutex_init(&locks[i], NULL);
  pthread_create(&t, NULL, user, NULL);
  pthread_create(&u, NULL, user, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
