/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: a new key has no values, whatever was there before */
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_key_t key;
  int n;
  pthread_key_create(&key, NULL);
  pthread_setspecific(key, &n);
  pthread_key_delete(key);
  pthread_key_create(&key, NULL);
  assert(pthread_getspecific(key) == NULL);
  return 0;
}
