/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: pthread_create reads the attributes that another thread sets */
#include <pthread.h>
static pthread_attr_t a;
static void *idle(void *arg) { return arg; }
static void *set(void *arg) {
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_attr_init(&a);
  pthread_create(&t, NULL, set, NULL);
  pthread_create(&u, &a, idle, NULL);
  pthread_join(u, NULL);
  pthread_join(t, NULL);
  return 0;
}
