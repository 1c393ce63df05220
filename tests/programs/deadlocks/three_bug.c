/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: a cycle of three mutexes and three threads */
#include <pthread.h>
static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER};
static void *work(void *arg) {
  long i = (long)arg;
  pthread_mutex_lock(&m[i]);
  pthread_mutex_lock(&m[(i + 1) % 3]);
  pthread_mutex_unlock(&m[(i + 1) % 3]);
  pthread_mutex_unlock(&m[i]);
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
