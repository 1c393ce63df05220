/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a text that another thread writes is handed to a function of one's own that
 * prints: the access is made by vfprintf, two calls away */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

char text[8] = "abc";

void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}

void *work(void *arg) {
  text[0] = 'x';
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  say("%s\n", text);
  pthread_join(thread, NULL);
  return 0;
}
