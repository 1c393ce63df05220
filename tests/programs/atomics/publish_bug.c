/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the address is published before the struct is complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct config {
  int a, b;
};
static struct config store;
static _Atomic(struct config *) current;
static void *reader(void *arg) {
  struct config *c = current;
  if (c)
    assert(c->a + c->b == 30);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  store.a = 10;
  current = &store;
  store.b = 20;
  pthread_join(t, 0);
  return 0;
}
