/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: __VERIFIER_error ends the program: what would come behind it, a race
 *   and a lock that is not given back, does not happen */
#include <pthread.h>
extern void __VERIFIER_error(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, unprotected;
static void *worker(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  if (first) {
    __VERIFIER_error();
    pthread_mutex_unlock(&lock);
    unprotected++;
    *(volatile int *)0 = 1;
    pthread_mutex_lock(&lock);
  }
  first = 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  unprotected++;
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
