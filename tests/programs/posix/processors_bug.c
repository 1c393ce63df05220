/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip what the computer has
 * what: the first processor need not be one of those that may be used */
#define _GNU_SOURCE
#include <assert.h>
#include <sched.h>

int main(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set))
    return 0;
  assert(CPU_ISSET(0, &set));
  return 0;
}
