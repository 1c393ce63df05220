/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="6"
 * what: each thread gets the address of its own element */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
struct job {
  int in, out;
};
static void *work(void *arg) {
  struct job *j = arg;
  j->out = j->in + 1;
  return 0;
}
int main(void) {
  pthread_t t[3];
  struct job jobs[3];
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    jobs[i].in = i;
    pthread_create(&t[i], 0, work, &jobs[i]);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(t[i], 0);
    sum += jobs[i].out;
  }
  assert(sum == 6);
  printf("%d\n", sum);
  return 0;
}
