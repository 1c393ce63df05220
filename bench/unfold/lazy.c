/* SPDX-License-Identifier: MIT */
/* Two threads add 1 and 2, a third checks the bounds. With -DBUGGY the upper
 * bound is strict: wrong when both have added to the largest start value. */
#include "verifier.h"
#define MIN 0
#define MAX 10
int data;
pthread_mutex_t m;

void *add_one(void *arg) {
  pthread_mutex_lock(&m);
  data++;
  pthread_mutex_unlock(&m);
  return 0;
}

void *add_two(void *arg) {
  pthread_mutex_lock(&m);
  data += 2;
  pthread_mutex_unlock(&m);
  return 0;
}

void *check(void *arg) {
  pthread_mutex_lock(&m);
  __VERIFIER_assert(MIN <= data);
#ifdef BUGGY
  __VERIFIER_assert(data < MAX + 3);
#else
  __VERIFIER_assert(data <= MAX + 3);
#endif
  pthread_mutex_unlock(&m);
  return 0;
}

int main() {
  pthread_t a, b, c;
  pthread_mutex_init(&m, 0);
  data = __VERIFIER_nondet_int(MIN, MAX);
  pthread_create(&a, 0, add_one, 0);
  pthread_create(&b, 0, add_two, 0);
  pthread_create(&c, 0, check, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  pthread_mutex_destroy(&m);
  return 0;
}
