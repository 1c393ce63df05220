/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: memory is read while another thread frees it: no engine may stumble over
 * what the read would have got */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static void *drop(void *arg) {
  free(arg);
  return 0;
}
int main(void) {
  pthread_t t;
  atomic_int *count = malloc(sizeof *count);
  atomic_init(count, 1);
  pthread_create(&t, 0, drop, count);
  int seen = atomic_load(count);
  pthread_join(t, 0);
  return seen - 1;
}
