/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="21"
 * what: cleanup handlers run last in, first out; pop(0) only forgets */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static int log_;
static void note(void *arg) {
  log_ = log_ * 10 + (int)(intptr_t)arg;
}
static void *work(void *arg) {
  pthread_cleanup_push(note, (void *)1);
  pthread_cleanup_push(note, (void *)2);
  pthread_cleanup_push(note, (void *)3);
  pthread_cleanup_pop(0);
  pthread_exit(arg);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(log_ == 21);
  printf("%d\n", log_);
  return 0;
}
