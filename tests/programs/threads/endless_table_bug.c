/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE memory=UNSAFE race=SAFE deadlock=SAFE
 * native: skip threads without end
 * what: threads without end that fill a table under a lock, one element too
 *   far */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { SIZE = 2 };
static unsigned char table[SIZE];
static unsigned top;
static void *worker(void *arg) {
  unsigned char *tag = arg;
  pthread_mutex_lock(&lock);
  if (top <= SIZE)
    table[top++] = *tag;
  else
    top = 0;
  pthread_mutex_unlock(&lock);
  return NULL;
}
int main(void) {
  unsigned char tag = 1;
  for (;;) {
    pthread_t t;
    pthread_create(&t, NULL, worker, &tag);
    pthread_detach(t);
  }
}
