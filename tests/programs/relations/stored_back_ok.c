/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: what was just stored is what is there: in memory of one's own, converted,
 *   and in memory of all while the lock is held; for any number of threads */
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
static void seek(struct file *f, unsigned count, int by) {
  long long there = (long long)by * 3;
  f->position = there;
  check(f->position == there);
  f->count = count + 1;
  check(f->count == count + 1);
  f->position = count;
  check(f->position == count);
}
static void *user(void *arg) {
  struct file *mine = malloc(sizeof *mine);
  seek(mine, (unsigned)__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
  free(mine);
  int input = __VERIFIER_nondet_int();
  pthread_mutex_lock(&lock);
  shared->count = (unsigned)input;
  unsigned seen = shared->count;
  check(seen == shared->count);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  shared = calloc(1, sizeof *shared);
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    pthread_t t;
    pthread_create(&t, NULL, user, NULL);
    if (i == 20)
      break;
  }
  return 0;
}
