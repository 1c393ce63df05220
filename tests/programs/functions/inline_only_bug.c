/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: functions that are only defined inline, without static: their bodies
 *   count */
#include <assert.h>
#include <pthread.h>

int level;

inline int next(int x) {
  return x + 1;
}

inline void lift(void) {
  level = next(level);
}

#ifndef __clang__ /* gcc, for the native run: it has to be linked there */
extern inline int next(int x);
extern inline void lift(void);
#endif

static void *work(void *arg) {
  lift();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(level == 2);
  return 0;
}
