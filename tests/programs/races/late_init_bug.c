/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: a mutex is initialised after the thread that uses it was created: that
 * does not order what was written before */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *reader(void *arg) {
  pthread_mutex_lock(&m);
  int seen = data;
  pthread_mutex_unlock(&m);
  return (void *)(long)(seen > 1);
}

int main(void) {
  pthread_t t;
  void *bad;
  pthread_create(&t, NULL, reader, NULL);
  data = 1;
  pthread_mutex_init(&m, NULL);
  pthread_join(t, &bad);
  return bad != NULL;
}
