/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: recursive mutexes, trylock, call_once, thread-specific storage */
#include <assert.h>
#include <threads.h>
static mtx_t rec, plain;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int inits, x;
static void init(void) {
  inits++;
}
static int work(void *arg) {
  call_once(&once, init);
  assert(inits == 1 && tss_get(key) == 0);
  tss_set(key, arg);
  mtx_lock(&rec);
  mtx_lock(&rec);
  x++;
  mtx_unlock(&rec);
  mtx_unlock(&rec);
  if (mtx_trylock(&plain) == thrd_success)
    mtx_unlock(&plain);
  return tss_get(key) == arg;
}
int main(void) {
  thrd_t a, b;
  int r, s;
  mtx_init(&rec, mtx_plain | mtx_recursive);
  mtx_init(&plain, mtx_plain);
  tss_create(&key, 0);
  thrd_create(&a, work, &r);
  thrd_create(&b, work, &s);
  thrd_join(a, &r);
  thrd_join(b, &s);
  assert(r == 1 && s == 1 && x == 2);
  tss_delete(key);
  return 0;
}
