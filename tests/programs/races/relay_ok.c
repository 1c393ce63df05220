/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: threads one after the other, each created when the one before has
 * been joined */
#include <pthread.h>
static int baton;
static void *run(void *arg) {
  baton = baton * 2 + 1;
  return arg;
}
int main(void) {
  for (int i = 0; i < 4; i++) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
  }
  return baton == 15 ? 0 : 1;
}
