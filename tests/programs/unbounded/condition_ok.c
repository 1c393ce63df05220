/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: any number of threads wait for main's signal to open the gate */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open;
static void *guest(void *arg) {
  pthread_mutex_lock(&m);
  while (!open)
    pthread_cond_wait(&c, &m);
  assert(open);
  pthread_mutex_unlock(&m);
  return arg;
}
static void *porter(void *arg) {
  pthread_mutex_lock(&m);
  open = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, porter, 0);
  for (;;)
    pthread_create(&t, 0, guest, 0);
}
