/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the lock of a stream excludes other threads, and its owner may take it again */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *say(void *arg) {
  flockfile(stdout);
  flockfile(stdout);
  putc_unlocked('.', stdout);
  lines++;
  funlockfile(stdout);
  funlockfile(stdout);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, say, NULL);
  say(NULL);
  pthread_join(thread, NULL);
  assert(lines == 2);
  return 0;
}
