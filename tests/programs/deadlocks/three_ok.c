/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the cycle is broken: the last thread takes the lower number first */
#include <pthread.h>
static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER};
static void *work(void *arg) {
  long i = (long)arg, j = (i + 1) % 3, lo = i < j ? i : j, hi = i < j ? j : i;
  pthread_mutex_lock(&m[lo]);
  pthread_mutex_lock(&m[hi]);
  pthread_mutex_unlock(&m[hi]);
  pthread_mutex_unlock(&m[lo]);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  return 0;
}
