/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a thread that may run nowhere */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
  cpu_set_t none;
  CPU_ZERO(&none);
  assert(pthread_setaffinity_np(pthread_self(), sizeof none, &none) == 0);
  return 0;
}
