/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: exit=0
 * what: glibc gives null for a key that was deleted; POSIX leaves it open */
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_key_t key;
  int n;
  pthread_key_create(&key, NULL);
  pthread_setspecific(key, &n);
  pthread_key_delete(key);
  assert(pthread_getspecific(key) == NULL);
  return 0;
}
