/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: a part of an array is filled, as long as an input says */
#include <assert.h>
#include <heddle.h>
int main(void) {
  int a[100], n = heddle_nondet_int(1, 100), k = heddle_nondet_int(0, 99);
  for (int i = 0; i < n; i++)
    a[i] = 7;
  if (k < n)
    assert(a[k] == 7);
  return 0;
}
