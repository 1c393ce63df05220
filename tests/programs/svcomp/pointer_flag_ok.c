/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: pointers as inputs of which only being null matters, and results of
 *   threads that nobody collects */
#include <assert.h>
#include <pthread.h>
extern void *__VERIFIER_nondet_pointer(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Bool delayed, late;
static int first, second;
static void *writer(void *arg) {
  pthread_mutex_lock(&lock);
  delayed = __VERIFIER_nondet_pointer();
  first = delayed ? 0 : 1;
  late = delayed;
  pthread_mutex_unlock(&lock);
  if (!arg)
    return __VERIFIER_nondet_pointer();
  pthread_mutex_lock(&lock);
  second = 1;
  pthread_mutex_unlock(&lock);
  return __VERIFIER_nondet_pointer();
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, &t);
  pthread_join(t, NULL);
  assert(first + late == 1);
  if (__VERIFIER_nondet_pointer() == NULL)
    assert(second == 1);
  return 0;
}
