/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the routine of pthread_once runs once */
#include <assert.h>
#include <pthread.h>
static pthread_once_t o = PTHREAD_ONCE_INIT;
static int n;
static void f(void) {
  n++;
}
int main(void) {
  pthread_once(&o, f);
  pthread_once(&o, f);
  assert(n == 2);
}
