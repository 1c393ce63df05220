/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the id of a thread that was joined is given to the next one */
#include <assert.h>
#include <pthread.h>
static pthread_t last;
static int known;
static void *work(void *arg) {
  if (known)
    assert(!pthread_equal(last, pthread_self()));
  last = pthread_self();
  known = 1;
  return arg;
}
int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
  }
  return 0;
}
