/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: C11's trylock may fail although nobody has the mutex */
#include <assert.h>
#include <threads.h>
static mtx_t m;
static int x;
static int work(void *arg) {
  (void)arg;
  if (mtx_trylock(&m) == thrd_success) {
    x++;
    mtx_unlock(&m);
  }
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, work, 0);
  thrd_join(t, 0);
  assert(x == 1);
  return 0;
}
