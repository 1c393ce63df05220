/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: C11's recursive mutexes, too, shall be held by the thread that unlocks them:
 * POSIX's return an error */
#include <threads.h>

mtx_t mutex;

int main(void) {
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  mtx_lock(&mutex);
  mtx_lock(&mutex);
  mtx_unlock(&mutex);
  mtx_unlock(&mutex);
  mtx_unlock(&mutex); /* once too often */
  return 0;
}
