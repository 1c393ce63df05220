/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: destroyed first; and another one each time round */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static pthread_mutex_t m;
int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    sem_t *s = malloc(sizeof *s);
    sem_init(s, 0, 1);
    free(s);
  }
  return 0;
}
