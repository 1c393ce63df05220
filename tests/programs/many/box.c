/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: each thread fills a box of its own before it hands it over under the lock */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct box {
  int full;
};
static struct box *last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  struct box *mine = malloc(sizeof *mine);
  if (!mine)
    return 0;
  mine->full = 1;
  pthread_mutex_lock(&m);
  last = mine;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t t;
  for (int i = 0; i < n; i++)
    pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  struct box *got = last;
  if (got)
    assert(got->full == 1);
  pthread_mutex_unlock(&m);
  return 0;
}
