/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: exit=0
 * what: who holds a mutex that is not recursive shall not lock it, with a time
 * neither */
#include <threads.h>
#include <time.h>

mtx_t mutex;

int main(void) {
  struct timespec when = {0};
  mtx_init(&mutex, mtx_timed);
  mtx_lock(&mutex);
  mtx_timedlock(&mutex, &when);
  mtx_unlock(&mutex);
  return 0;
}
