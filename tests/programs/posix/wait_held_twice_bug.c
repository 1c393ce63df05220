/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: the wait gives a recursive mutex up once, and it stays locked */
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int ready;
static int setter(void *arg) {
  (void)arg;
  mtx_lock(&m);
  ready = 1;
  cnd_broadcast(&c);
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain | mtx_recursive);
  cnd_init(&c);
  mtx_lock(&m);
  mtx_lock(&m);
  thrd_create(&t, setter, 0);
  while (!ready)
    cnd_wait(&c, &m);
  return 0;
}
