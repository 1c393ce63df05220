/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: what was just stored is not what is there any more: the lock was given
 *   back in between, or another pointer is the same one */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct file {
  long long position;
  unsigned count;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file *shared;
static void check(int holds) {
  assert(holds);
}
static void move(struct file *f, struct file *g, long long to) {
  f->position = to;
  g->position = to + 1;
  check(f->position == to); /* not if both are one */
}
static void *user(void *arg) {
  struct file a = {0, 0}, b = {0, 0};
  unsigned input = (unsigned)__VERIFIER_nondet_int();
  move(&a, input == 7 ? &a : &b, input);
  pthread_mutex_lock(&lock);
  shared->count = input;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  check(shared->count == input); /* another thread may have been here */
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  shared = calloc(1, sizeof *shared);
  pthread_t t, u;
  pthread_create(&t, NULL, user, NULL);
  pthread_create(&u, NULL, user, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  free(shared);
  return 0;
}
