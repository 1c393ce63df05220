/* SPDX-License-Identifier: MIT */
/* A counter that only grows, and stops before it wraps around. Whoever has
 * counted finds it above what it was, whatever the others have done since. main
 * never stops making threads. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;

static void *visitor(void *arg) {
  pthread_mutex_lock(&lock);
  unsigned before = count;
  if (before < UINT_MAX)
    count = before + 1;
  pthread_mutex_unlock(&lock);
  if (before < UINT_MAX) {
    pthread_mutex_lock(&lock);
    assert(count > before);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  while (1)
    pthread_create(&thread, 0, visitor, 0);
}
