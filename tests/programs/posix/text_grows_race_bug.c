/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the length of a text is taken while another thread prints into it */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

char text[16] = "1";
size_t length;

void *work(void *arg) {
  sprintf(text, "%d", 22);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  length = strlen(text);
  pthread_join(thread, NULL);
  return 0;
}
