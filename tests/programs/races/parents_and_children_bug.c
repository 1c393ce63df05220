/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: what many threads do before they create others */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER,
                       m2 = PTHREAD_MUTEX_INITIALIZER;
static int g;
static void *c(void *a) {
  pthread_mutex_lock(&m2);
  g++;
  pthread_mutex_unlock(&m2);
  return a;
}
static void *w(void *a) {
  pthread_t t;
  pthread_mutex_lock(&m);
  g++;
  pthread_mutex_unlock(&m);
  pthread_create(&t, 0, c, 0);
  return a;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++)
    pthread_create(&t, 0, w, 0);
}
