/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0 output="55"
 * what: a future: the result is computed once by a thread, main waits for
 *   it when it needs it */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct future {
  pthread_t thread;
  int (*f)(int);
  int arg, result;
};
static void *run(void *p) {
  struct future *f = p;
  f->result = f->f(f->arg);
  return 0;
}
static struct future *start(int (*f)(int), int arg) {
  struct future *p = malloc(sizeof *p);
  if (!p)
    exit(0);
  p->f = f;
  p->arg = arg;
  pthread_create(&p->thread, 0, run, p);
  return p;
}
static int await(struct future *p) {
  pthread_join(p->thread, 0);
  int r = p->result;
  free(p);
  return r;
}
static int sum(int n) {
  return n ? n + sum(n - 1) : 0;
}
static int square(int n) {
  return n * n;
}
int main(void) {
  struct future *a = start(sum, 3), *b = start(square, 7);
  int r = await(b) + await(a);
  assert(r == 55);
  printf("%d\n", r);
  return 0;
}
