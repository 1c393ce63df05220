/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: what is pushed back comes next; a mask and a size are what was set */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

int main(void) {
  pthread_attr_t attr;
  size_t size = 0;
  assert(ungetc('x', stdin) == 'x');
  assert(getchar() == 'x');
  umask(022);
  assert(umask(077) == 022);
  pthread_attr_init(&attr);
  assert(pthread_attr_setstacksize(&attr, 65536) == 0);
  pthread_attr_getstacksize(&attr, &size);
  assert(size == 65536);
  pthread_attr_destroy(&attr);
  return 0;
}
