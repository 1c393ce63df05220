/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: one item, any number of takers that wait with if */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int item;
static void *taker(void *arg) {
  pthread_mutex_lock(&m);
  if (!item)
    pthread_cond_wait(&c, &m);
  assert(item);
  item = 0;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *maker(void *arg) {
  pthread_mutex_lock(&m);
  if (!item) {
    item = 1;
    pthread_cond_signal(&c);
  }
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  for (;;) {
    pthread_create(&t, 0, taker, 0);
    pthread_create(&t, 0, maker, 0);
  }
}
