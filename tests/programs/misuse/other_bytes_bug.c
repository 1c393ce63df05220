/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: memory with other bytes than an initialiser's is used as a mutex */
#include <pthread.h>
#include <string.h>
int main(void) {
  pthread_mutex_t lock;
  memset(&lock, 0x80, sizeof lock);
  pthread_mutex_lock(&lock);
  return 0;
}
