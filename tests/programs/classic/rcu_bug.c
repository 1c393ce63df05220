/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the writer changes and frees the old version at once */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct version {
  int a, b;
};
static _Atomic(struct version *) current;
static struct version *make(int n) {
  struct version *v = malloc(sizeof *v);
  if (!v)
    exit(0);
  v->a = n;
  v->b = -n;
  return v;
}
static void *reader(void *arg) {
  struct version *v = current;
  return v->a + v->b == 0 ? arg : 0;
}
int main(void) {
  pthread_t t;
  current = make(1);
  pthread_create(&t, 0, reader, 0);
  struct version *old = atomic_exchange(&current, make(2));
  old->a = old->b = 0;
  free(old);
  pthread_join(t, 0);
  free(current);
  return 0;
}
