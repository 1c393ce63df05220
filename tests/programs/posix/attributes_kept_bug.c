/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=134
 * what: a priority that the usual policy does not have */
#include <assert.h>
#include <pthread.h>

int main(void) {
  pthread_attr_t attr;
  struct sched_param param = {.sched_priority = 5};
  pthread_attr_init(&attr);
  assert(pthread_attr_setschedparam(&attr, &param) == 0);
  return 0;
}
