/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: the waiter does not look whether the event has happened already */
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int producer(void *arg) {
  mtx_lock(&m);
  cnd_broadcast(&c);
  mtx_unlock(&m);
  return arg != 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t, producer, 0);
  mtx_lock(&m);
  cnd_wait(&c, &m);
  mtx_unlock(&m);
  thrd_join(t, 0);
  return 0;
}
