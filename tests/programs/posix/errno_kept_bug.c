/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: the address of errno is kept, and a call that fails changes what is there */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
  sem_t empty;
  int *number = &errno;
  *number = 0;
  sem_init(&empty, 0, 0);
  sem_trywait(&empty);
  assert(*number == 0);
  return 0;
}
