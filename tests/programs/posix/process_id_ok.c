/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a process has one number, in all of its threads */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static void *ask(void *arg) {
  *(pid_t *)arg = getpid();
  return NULL;
}
int main(void) {
  pthread_t thread;
  pid_t theirs;
  pthread_create(&thread, NULL, ask, &theirs);
  pthread_join(thread, NULL);
  assert(theirs == getpid() && theirs > 0);
  return 0;
}
