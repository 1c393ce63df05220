/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: another thread unlocks a recursive mutex */
#include <threads.h>

mtx_t mutex;

int helper(void *arg) {
  (void)arg;
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  mtx_lock(&mutex);
  thrd_create(&thread, helper, NULL);
  thrd_join(thread, NULL);
  mtx_unlock(&mutex);
  return 0;
}
