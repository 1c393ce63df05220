/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0
 * what: who drops the last reference frees the object */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object {
  atomic_int refs;
  int value;
};
static void drop(struct object *o) {
  if (atomic_fetch_sub(&o->refs, 1) == 1) {
    o->value = -1;
    free(o);
  }
}
static void *use(void *arg) {
  struct object *o = arg;
  assert(o->value == 5);
  drop(o);
  return 0;
}
int main(void) {
  pthread_t a, b;
  struct object *o = malloc(sizeof *o);
  if (!o)
    return 0;
  atomic_init(&o->refs, 3);
  o->value = 5;
  pthread_create(&a, 0, use, o);
  pthread_create(&b, 0, use, o);
  drop(o);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
