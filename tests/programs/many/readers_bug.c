/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a writer takes the lock for reading only */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int data;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static void *reader(void *arg) {
  pthread_rwlock_rdlock(&rw);
  int copy = data;
  pthread_rwlock_unlock(&rw);
  return copy == 77 ? arg : 0;
}
static void *writer(void *arg) {
  pthread_rwlock_rdlock(&rw);
  data = data + 1;
  pthread_rwlock_unlock(&rw);
  return arg;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t t;
  for (int i = 0; i < n; i++)
    pthread_create(&t, 0, i % 2 ? reader : writer, 0);
  return 0;
}
