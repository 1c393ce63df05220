/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: what getservbyname gives is in one place for all threads */
#include <netdb.h>
#include <pthread.h>

static void *ask(void *arg) {
  struct servent *its = getservbyname("http", "tcp");
  return its && its->s_port == 80 ? its : arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ask, NULL);
  ask(NULL);
  pthread_join(thread, NULL);
  return 0;
}
