/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: mtx_timedlock and cnd_timedwait: success or thrd_timedout */
#include <assert.h>
#include <threads.h>
#include <time.h>
static mtx_t m;
static cnd_t c;
static int ready, x;
static int work(void *arg) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  int r = mtx_timedlock(&m, &now);
  assert(r == thrd_success || r == thrd_timedout);
  if (r == thrd_success) {
    x++;
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
  }
  return arg != 0;
}
int main(void) {
  thrd_t t;
  struct timespec now;
  int r = thrd_success;
  timespec_get(&now, TIME_UTC);
  mtx_init(&m, mtx_timed);
  cnd_init(&c);
  thrd_create(&t, work, 0);
  mtx_lock(&m);
  while (!ready && r == thrd_success)
    r = cnd_timedwait(&c, &m, &now);
  assert(ready || r == thrd_timedout);
  mtx_unlock(&m);
  thrd_join(t, 0);
  assert(x == ready);
  return 0;
}
