/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a semaphore of 0 cannot be taken */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
int main(void) {
  sem_init(&s, 0, 0);
  if (sem_trywait(&s))
    assert(0);
}
