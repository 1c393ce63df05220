/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="done"
 * what: pthread_exit in main leaves the other threads running */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_t first;
static int x;
static void *one(void *arg) {
  x = 1;
  return arg;
}
static void *two(void *arg) {
  pthread_join(first, 0);
  assert(x == 1);
  puts("done");
  return arg;
}
int main(void) {
  pthread_t second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_exit(0);
}
