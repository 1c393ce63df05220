/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a semaphore that has its largest value cannot be posted */
#include <assert.h>
#include <limits.h>
#include <semaphore.h>
static sem_t places;
int main(void) {
  sem_init(&places, 0, INT_MAX);
  assert(sem_post(&places) == 0);
  return 0;
}
