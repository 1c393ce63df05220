/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a thread gets a compound literal that ends before it */
#include <pthread.h>
static void *print(void *arg) {
  return (void *)(long)((int *)arg)[1];
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 1; i++)
    pthread_create(&t, 0, print, (int[]){i, 7});
  pthread_join(t, 0);
  return 0;
}
