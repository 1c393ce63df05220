/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: if instead of while: another consumer may have taken the item when
 *   the waiter comes back */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;
static void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  if (items == 0)
    pthread_cond_wait(&c, &m);
  items--;
  assert(items >= 0);
  pthread_mutex_unlock(&m);
  return arg;
}
static void *producer(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t a, b, p;
  pthread_create(&a, 0, consumer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_create(&p, 0, producer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(p, 0);
  return 0;
}
