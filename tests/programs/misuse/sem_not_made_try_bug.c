/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: exit=0
 * what: one of two semaphores is forgotten */
#include <semaphore.h>
static sem_t pair[2];
int main(void) {
  for (int i = 0; i < 1; i++)
    sem_init(&pair[i], 0, 1);
  for (int i = 0; i < 2; i++)
    sem_trywait(&pair[i]);
  return 0;
}
