/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: that time did not run out does not mean that the flag is set */
#include <assert.h>
#include <threads.h>
static mtx_t m;
static cnd_t changed;
static int ready;
static int work(void *arg) {
  (void)arg;
  mtx_lock(&m);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  struct timespec late = {2000000000, 0};
  thrd_t t;
  mtx_init(&m, mtx_plain);
  cnd_init(&changed);
  thrd_create(&t, work, NULL);
  mtx_lock(&m);
  int in_time = 1;
  if (!ready)
    in_time = cnd_timedwait(&changed, &m, &late) == thrd_success;
  if (in_time)
    assert(ready);
  mtx_unlock(&m);
  thrd_join(t, NULL);
  return 0;
}
