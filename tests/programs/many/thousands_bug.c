/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: of three thousand threads one adds without the lock */
#include <pthread.h>
#define MANY 3000
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static pthread_t threads[MANY];
static void *worker(void *arg) {
  long i = (long)arg;
  if (i == 1717) {
    sum += i;
    return 0;
  }
  pthread_mutex_lock(&m);
  sum += i;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  for (long i = 0; i < MANY; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < MANY; i++)
    pthread_join(threads[i], 0);
  return 0;
}
