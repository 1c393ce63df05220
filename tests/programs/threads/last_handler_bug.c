/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: main leaves by pthread_exit; the end of the last thread is an exit, which
 *       runs the handlers */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int open_jobs = 1;
static void report(void) {
  assert(open_jobs == 0);
}
static void *worker(void *arg) {
  return arg;
}
int main(void) {
  pthread_t thread;
  atexit(report);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  pthread_exit(NULL);
}
