/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a thousand million nanoseconds are no part of a second */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
static sem_t s;
int main(void) {
  struct timespec until = {.tv_sec = 0, .tv_nsec = -1};
  sem_init(&s, 0, 0);
  int r = sem_timedwait(&s, &until);
  assert(r == -1 && errno == ETIMEDOUT);
  return 0;
}
