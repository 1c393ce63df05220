/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a semaphore is waited for until no time */
#include <semaphore.h>
#include <stddef.h>
static sem_t s;
int main(void) {
  struct timespec *until = NULL;
  sem_init(&s, 0, 0);
  sem_timedwait(&s, until);
  return 0;
}
