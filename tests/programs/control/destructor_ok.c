/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="done"
 * what: destructors run behind main and behind the handlers of atexit, the one
 *   with the smallest number last */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int step;

__attribute__((destructor(101))) static void last(void) {
  assert(step == 4);
  puts("done");
}

__attribute__((destructor(102))) static void second(void) {
  assert(step == 3);
  step++;
}

__attribute__((destructor)) static void first(void) {
  assert(step == 2);
  step++;
}

static void handler(void) {
  assert(step == 1);
  step++;
}

int main(void) {
  atexit(handler);
  step++;
  return 0;
}
