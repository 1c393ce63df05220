/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a barrier made of a mutex and a condition variable, with
 *   generations */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int count, generation, v[2];
static void barrier(void) {
  pthread_mutex_lock(&m);
  int mine = generation;
  if (++count == 2) {
    count = 0;
    generation++;
    pthread_cond_broadcast(&c);
  } else
    while (generation == mine)
      pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  int me = arg != 0;
  for (int i = 1; i <= 2; i++) {
    v[me] = i;
    barrier();
    assert(v[!me] == i);
    barrier();
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &count);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
