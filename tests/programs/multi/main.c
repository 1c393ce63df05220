/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="7 8 1"
 * files: other.c
 * what: two files: statics of the same name are two objects, an extern
 *   variable and a function are one */
#include <assert.h>
#include <stdio.h>
#include "other.h"
static int count = 0;
static int bump(void) {
  return ++count;
}
int main(void) {
  int a = other_bump(), b = other_bump();
  shared_total += bump();
  assert(a == 7 && b == 8 && count == 1 && shared_total == 16);
  printf("%d %d %d\n", a, b, count);
  return 0;
}
