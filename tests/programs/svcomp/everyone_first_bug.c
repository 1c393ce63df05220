/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: skip inputs
 * what: the check fails if all of the other threads are done, each draws the
 *   number that main has drawn, and main has not ended yet */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void reach_error(void);
void __VERIFIER_assume(int);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, drawn;

static void *check(void *arg) {
  if (count == 7)
    reach_error();
  return arg;
}

static void *work(void *arg) {
  int mine = __VERIFIER_nondet_int();
  __VERIFIER_assume(mine >= 10 && mine < 20);
  pthread_mutex_lock(&m);
  if (mine == drawn)
    count++;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t thread;
  drawn = __VERIFIER_nondet_int();
  __VERIFIER_assume(drawn >= 10 && drawn < 20);
  pthread_create(&thread, NULL, check, NULL);
  for (int i = 0; i < 7; i++)
    pthread_create(&thread, NULL, work, NULL);
  return 0;
}
