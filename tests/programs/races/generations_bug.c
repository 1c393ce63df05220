/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: threads that create threads like themselves */
#include <pthread.h>
static int g, n;
static void *w(void *a) {
  pthread_t t;
  if (__atomic_add_fetch(&n, 1, __ATOMIC_SEQ_CST) < 4)
    pthread_create(&t, 0, w, (void *)1);
  if (a)
    g++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
}
