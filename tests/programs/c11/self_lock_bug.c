/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: a plain C11 mutex locked twice by its owner */
#include <threads.h>
static mtx_t m;
int main(void) {
  mtx_init(&m, mtx_plain);
  mtx_lock(&m);
  mtx_lock(&m);
  return 0;
}
