/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: attributes are used that nobody initialised */
#include <pthread.h>
int main(void) {
  pthread_condattr_t clock;
  pthread_cond_t changed;
  pthread_cond_init(&changed, &clock);
  return 0;
}
