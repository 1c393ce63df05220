/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: exit=0
 * what: the second mutex is made with attributes that are destroyed */
#include <pthread.h>
int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutex_t first, second;
  pthread_mutexattr_init(&kind);
  pthread_mutex_init(&first, &kind);
  pthread_mutexattr_destroy(&kind);
  pthread_mutex_init(&second, &kind);
  return 0;
}
