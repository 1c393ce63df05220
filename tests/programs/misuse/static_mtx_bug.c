/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: a mutex of C11 has to be initialised by mtx_init */
#include <threads.h>
static mtx_t lock;
int main(void) {
  mtx_lock(&lock);
  mtx_unlock(&lock);
  return 0;
}
