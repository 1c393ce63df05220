/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: exit=0
 * what: a semaphore in static memory was never initialised */
#include <semaphore.h>
static sem_t ready;
int main(void) {
  sem_post(&ready);
  sem_wait(&ready);
  return 0;
}
