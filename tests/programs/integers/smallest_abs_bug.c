/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE overflow=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the absolute value of the smallest number, by a pointer to abs */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
static int number = 1;
static int (*size_of)(int) = abs;
static void *lower(void *arg) {
  number = INT_MIN;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, lower, NULL);
  pthread_join(t, NULL);
  return size_of(number) == 1;
}
