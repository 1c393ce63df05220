/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: exit=0
 * what: mtx_timedlock wants a mutex that was made with mtx_timed */
#include <threads.h>
#include <time.h>

mtx_t mutex;

int main(void) {
  struct timespec when = {0};
  mtx_init(&mutex, mtx_plain);
  if (mtx_timedlock(&mutex, &when) == thrd_success)
    mtx_unlock(&mutex);
  return 0;
}
