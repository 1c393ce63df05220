/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="111"
 * what: thread functions taken from a table */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int out[3];
static void *a(void *arg) {
  out[0] = 1;
  return arg;
}
static void *b(void *arg) {
  out[1] = 10;
  return arg;
}
static void *c(void *arg) {
  out[2] = 100;
  return arg;
}
static void *(*const starts[])(void *) = {a, b, c};
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, starts[i], 0);
  for (int i = 2; i >= 0; i--)
    pthread_join(t[i], 0);
  assert(out[0] + out[1] + out[2] == 111);
  printf("%d\n", out[0] + out[1] + out[2]);
  return 0;
}
