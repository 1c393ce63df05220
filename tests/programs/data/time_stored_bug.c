/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: time also writes where its argument points */
#include <assert.h>
#include <pthread.h>
#include <time.h>
static time_t now;
static void *look(void *arg) {
  time(&now);
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, look, NULL);
  pthread_join(t, NULL);
  assert(now == 0);
  return 0;
}
