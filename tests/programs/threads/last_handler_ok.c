/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: the handlers run when the last thread has ended, in that thread, after all
 *       that others did */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int done[2];
static _Thread_local int own = 1;
static void last(void) {
  assert(done[0] == 2 && done[1] == 2);
}
static void first(void) {
  assert(own == 1 || own == 2);
  done[0]++;
  done[1]++;
}
static void *worker(void *arg) {
  own = 2;
  *(int *)arg = 1;
  return NULL;
}
int main(void) {
  pthread_t threads[2];
  atexit(last);
  atexit(first);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, &done[i]);
  pthread_exit(NULL);
}
