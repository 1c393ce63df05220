/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: names have 15 characters at most; there is always a locale */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>

int main(void) {
  char name[16];
  assert(pthread_setname_np(pthread_self(), "sixteen letters.") == ERANGE);
  assert(pthread_setname_np(pthread_self(), "fifteen letters") == 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(!strcmp(name, "fifteen letters"));
  assert(!strcmp(setlocale(LC_ALL, NULL), "C"));
  return 0;
}
