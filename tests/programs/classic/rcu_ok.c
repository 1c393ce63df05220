/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0
 * what: a new version is published, the old one freed after the reader has
 *   left */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct version {
  int a, b;
};
static _Atomic(struct version *) current;
static atomic_int reading;
static struct version *make(int n) {
  struct version *v = malloc(sizeof *v);
  if (!v)
    exit(0);
  v->a = n;
  v->b = -n;
  return v;
}
static void *reader(void *arg) {
  reading = 1;
  struct version *v = current;
  assert(v->a + v->b == 0);
  reading = 0;
  return arg;
}
int main(void) {
  pthread_t t;
  current = make(1);
  pthread_create(&t, 0, reader, 0);
  struct version *old = atomic_exchange(&current, make(2));
  while (reading)
    ;
  free(old);
  pthread_join(t, 0);
  free(current);
  return 0;
}
