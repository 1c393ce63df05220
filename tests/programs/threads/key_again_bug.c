/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: exit=134
 * what: a key that was deleted comes again */
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_key_t first, second;
  pthread_key_create(&first, NULL);
  pthread_key_delete(first);
  pthread_key_create(&second, NULL);
  assert(first != second);
  return 0;
}
