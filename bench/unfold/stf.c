/* SPDX-License-Identifier: MIT */
/* Two threads with two critical sections each on one mutex; what they add
 * comes to the same sum in every order. */
#include "verifier.h"
int data1, data2;
pthread_mutex_t m;

void *up(void *arg) {
  pthread_mutex_lock(&m);
  data1++;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  data2++;
  pthread_mutex_unlock(&m);
  return 0;
}

void *far(void *arg) {
  pthread_mutex_lock(&m);
  data1 += 5;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  data2 -= 6;
  pthread_mutex_unlock(&m);
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_mutex_init(&m, 0);
  data1 = 10;
  data2 = 10;
  pthread_create(&a, 0, up, 0);
  pthread_create(&b, 0, far, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  __VERIFIER_assert(data1 == 16);
  __VERIFIER_assert(data2 == 5);
  pthread_mutex_destroy(&m);
  return 0;
}
