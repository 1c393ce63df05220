/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: both threads got the same pointer in different ways */
#include <pthread.h>
struct job {
  int *result;
};
static int total;
static void *work(void *arg) {
  struct job *j = arg;
  *j->result += 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  struct job j = {&total}, k = {j.result};
  pthread_create(&a, 0, work, &j);
  pthread_create(&b, 0, work, &k);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
