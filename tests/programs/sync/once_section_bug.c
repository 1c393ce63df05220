/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: an atomic section in what is called once does not end it */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_once_t o = PTHREAD_ONCE_INIT;
sem_t s;
int n;
void __VERIFIER_atomic_inc(void) { n++; }
void init(void) {
  __VERIFIER_atomic_inc();
  sem_post(&s);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}
void *a(void *p) { pthread_once(&o, init); return 0; }
void *b(void *p) {
  sem_wait(&s);
  pthread_mutex_lock(&m);
  pthread_once(&o, init);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
