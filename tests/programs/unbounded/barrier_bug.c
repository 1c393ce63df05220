/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: a barrier for two without generations: a third thread comes before
 *   the first two have left */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned arrived;
static int open;
static void *work(void *arg) {
  int pass = 0;
  pthread_mutex_lock(&m);
  assert(arrived < 2);
  arrived++;
  if (arrived == 2)
    open = 1;
  pthread_mutex_unlock(&m);
  while (!pass) {
    pthread_mutex_lock(&m);
    pass = open;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  arrived--;
  if (arrived == 0)
    open = 0;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, work, 0);
}
