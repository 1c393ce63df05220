/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: any number of threads behind one mutex: never two inside */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  assert(inside == 0);
  inside = 1;
  inside = 0;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, work, 0);
}
