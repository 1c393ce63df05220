/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: whether the table is filled is looked at without pthread_once */
#include <pthread.h>
static pthread_once_t o = PTHREAD_ONCE_INIT;
static int table[2];
static void fill(void) {
  table[0] = 5;
  table[1] = 6;
}
static void *use(void *arg) {
  int *sum = arg;
  if (!table[0])
    pthread_once(&o, fill);
  *sum = table[0] + table[1];
  return 0;
}
int main(void) {
  pthread_t a, b;
  int x = 0, y = 0;
  pthread_create(&a, 0, use, &x);
  pthread_create(&b, 0, use, &y);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return x + y > 0 ? 0 : 1;
}
