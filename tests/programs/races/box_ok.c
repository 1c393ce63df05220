/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: an object changes hands through a box under a lock; only its owner
 * touches it */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *box;
static int item;
static void *give(void *arg) {
  item = 42;
  pthread_mutex_lock(&m);
  box = &item;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *take(void *arg) {
  int *got = 0;
  while (!got) {
    pthread_mutex_lock(&m);
    got = box;
    pthread_mutex_unlock(&m);
  }
  *got += 1;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, give, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return item == 43 ? 0 : 1;
}
