/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: tried until it works; POSIX's works at once */
#include <assert.h>
#include <pthread.h>
#include <threads.h>
static pthread_mutex_t p = PTHREAD_MUTEX_INITIALIZER;
static mtx_t m;
int main(void) {
  mtx_init(&m, mtx_plain);
  assert(pthread_mutex_trylock(&p) == 0);
  while (mtx_trylock(&m) != thrd_success)
    ;
  assert(mtx_trylock(&m) == thrd_busy);
  mtx_unlock(&m);
  pthread_mutex_unlock(&p);
  return 0;
}
