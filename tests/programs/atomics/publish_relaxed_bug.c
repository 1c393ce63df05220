/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: an address is given away by a relaxed store */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct item {
  int value;
};
static _Atomic(struct item *) shared;
static void *make(void *arg) {
  struct item *item = malloc(sizeof *item);
  if (!item)
    return arg;
  item->value = 7;
  atomic_store_explicit(&shared, item, memory_order_relaxed);
  return arg;
}
static void *take(void *arg) {
  struct item *item = atomic_load_explicit(&shared, memory_order_acquire);
  if (item)
    arg = item->value ? arg : 0;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, make, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(atomic_load(&shared));
  return 0;
}
