/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a store that an input delays: only whether the pointer is null matters
 */
#include <assert.h>
#include <pthread.h>
extern void *__VERIFIER_nondet_pointer(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Bool delayed;
static int data, ready;
static void *writer(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  delayed = __VERIFIER_nondet_pointer();
  if (!delayed)
    data = 1;
  ready = 1;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  data = 1;
  pthread_mutex_unlock(&lock);
  return __VERIFIER_nondet_pointer();
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_mutex_lock(&lock);
  if (ready)
    assert(data == 1);
  pthread_mutex_unlock(&lock);
  return 0;
}
