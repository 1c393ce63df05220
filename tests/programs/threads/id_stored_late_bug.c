/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the new thread runs before pthread_create has stored its id, in one step that
 *   begins when the thread is not there yet and ends when it is */
#include <pthread.h>
static pthread_t thread;
static void *work(void *arg) {
  pthread_t own = thread;
  (void)own;
  return arg;
}
int main(void) {
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
