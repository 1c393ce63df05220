/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: decrements and tests in two steps: both threads free the object */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int refs = 2;
static int *object;
static void *use(void *arg) {
  atomic_fetch_sub(&refs, 1);
  if (refs == 0) {
    *object = -1;
    free(object);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  object = malloc(sizeof *object);
  if (!object)
    return 0;
  *object = 5;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
