/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE sync=UNSAFE
 * native: hang
 * what: a mutex that is not recursive shall not be locked by who holds it; there
 * it waits, and C leaves it open */
#include <threads.h>

mtx_t mutex;

int main(void) {
  mtx_init(&mutex, mtx_plain);
  mtx_lock(&mutex);
  mtx_lock(&mutex);
  return 0;
}
