/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: each is joined only after the next one was created */
#include <pthread.h>
static int baton;
static void *run(void *arg) {
  baton = baton * 2 + 1;
  return arg;
}
int main(void) {
  pthread_t before, t;
  pthread_create(&before, 0, run, 0);
  for (int i = 1; i < 4; i++) {
    pthread_create(&t, 0, run, 0);
    pthread_join(before, 0);
    before = t;
  }
  pthread_join(before, 0);
  return baton > 0 ? 0 : 1;
}
