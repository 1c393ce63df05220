/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: each block of memory has its own lock */
#include <pthread.h>
#include <stdlib.h>
struct n {
  pthread_mutex_t m;
  int v;
};
static int g;
__attribute__((noinline)) static struct n *mk(void) {
  struct n *x = calloc(1, sizeof *x);
  if (!x)
    exit(0);
  return x;
}
static void *w(void *a) {
  struct n *x = a;
  pthread_mutex_lock(&x->m);
  g++;
  pthread_mutex_unlock(&x->m);
  return 0;
}
int main(void) {
  mk();
  mk();
  mk();
  struct n *x = mk(), *y = mk();
  pthread_t t, u;
  pthread_create(&t, 0, w, x);
  pthread_create(&u, 0, w, y);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
