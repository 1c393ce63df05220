/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip inputs
 * what: every thread takes a place that is free, whichever; values that are not
 *   a free place make no run, and ten of them in a row are hardly guessed */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);

#define PLACES 10

static int taken[PLACES], n;

static void *take(void *arg) {
  __VERIFIER_atomic_begin();
  int place = __VERIFIER_nondet_int();
  __VERIFIER_assume(place >= 100 && place < 100 + PLACES);
  __VERIFIER_assume(!taken[place - 100]);
  taken[place - 100] = 1;
  n++;
  if (n == PLACES && place != 109)
    reach_error();
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < PLACES; i++)
    pthread_create(&thread, NULL, take, NULL);
  pthread_exit(NULL);
}
