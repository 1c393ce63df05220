/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: objects initialised at run time with attributes, destroyed, and in
 *   a struct on the heap */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct gate {
  pthread_mutex_t m;
  pthread_cond_t c;
  int open;
};
static struct gate *gate_new(void) {
  struct gate *g = malloc(sizeof *g);
  pthread_condattr_t ca;
  pthread_mutexattr_t ma;
  if (!g)
    exit(0);
  pthread_mutexattr_init(&ma);
  pthread_mutexattr_settype(&ma, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&g->m, &ma);
  pthread_mutexattr_destroy(&ma);
  pthread_condattr_init(&ca);
  pthread_cond_init(&g->c, &ca);
  pthread_condattr_destroy(&ca);
  g->open = 0;
  return g;
}
static void *opener(void *arg) {
  struct gate *g = arg;
  pthread_mutex_lock(&g->m);
  g->open = 1;
  pthread_cond_broadcast(&g->c);
  pthread_mutex_unlock(&g->m);
  return 0;
}
int main(void) {
  struct gate *g = gate_new();
  pthread_t t;
  pthread_create(&t, 0, opener, g);
  pthread_mutex_lock(&g->m);
  while (!g->open)
    pthread_cond_wait(&g->c, &g->m);
  pthread_mutex_unlock(&g->m);
  pthread_join(t, 0);
  assert(g->open == 1);
  pthread_cond_destroy(&g->c);
  pthread_mutex_destroy(&g->m);
  free(g);
  return 0;
}
