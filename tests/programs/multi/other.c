/* SPDX-License-Identifier: MIT */
/* The second file of main.c. */
#include "other.h"
int shared_total;
static int count = 6;
static int bump(void) {
  return ++count;
}
int other_bump(void) {
  int n = bump();
  shared_total += n;
  return n;
}
