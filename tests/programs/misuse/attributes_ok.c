/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: attributes may be made again, and live no longer than needed */
#include <pthread.h>
static void *work(void *arg) { return arg; }
int main(void) {
  pthread_attr_t a;
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_attr_init(&a);
    pthread_create(&t, &a, work, NULL);
    pthread_attr_destroy(&a);
    pthread_join(t, NULL);
  }
  return 0;
}
