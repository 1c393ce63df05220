/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: two streams have a lock each */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *say(void *arg) {
  flockfile(arg ? stdout : stderr);
  flockfile(arg ? stdout : stderr);
  putc_unlocked('.', stdout);
  lines++;
  funlockfile(arg ? stdout : stderr);
  funlockfile(arg ? stdout : stderr);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, say, &lines);
  say(NULL);
  pthread_join(thread, NULL);
  return 0;
}
