/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: main frees the buffer while the thread may still write to it */
#include <pthread.h>
#include <stdlib.h>
static void *work(void *arg) {
  *(int *)arg = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  pthread_create(&t, 0, work, p);
  *p = 2;
  free(p);
  pthread_join(t, 0);
  return 0;
}
