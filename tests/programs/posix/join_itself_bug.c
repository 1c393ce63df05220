/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=UNSAFE
 * native: exit=134
 * what: a thread that joins itself is told so by glibc; POSIX leaves it open */
#include <assert.h>
#include <pthread.h>
static void *work(void *arg) {
  assert(pthread_join(pthread_self(), NULL) == 0);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
