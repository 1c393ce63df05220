/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0
 * what: a thread returns memory from the heap, who joins it frees it */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *work(void *arg) {
  int *r = malloc(sizeof *r);
  if (r)
    *r = *(int *)arg + 1;
  return r;
}
int main(void) {
  pthread_t t;
  int n = 4;
  void *r;
  pthread_create(&t, 0, work, &n);
  pthread_join(t, &r);
  if (r)
    assert(*(int *)r == 5);
  free(r);
  return 0;
}
