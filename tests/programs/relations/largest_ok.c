/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: an array is filled with inputs, searched, and cleared from its end */
#include <assert.h>
#include <heddle.h>
static int b[200];
int main(void) {
  for (int i = 0; i < 200; i++)
    b[i] = heddle_nondet_int(3, 9);
  int max = 0;
  for (int i = 0; i < 200; i++)
    if (b[i] > max)
      max = b[i];
  assert(max <= 9);
  assert(b[heddle_nondet_int(0, 199)] >= 3);
  for (int i = 199; i >= 0; i--)
    b[i] = 0;
  assert(b[heddle_nondet_int(0, 199)] == 0);
  return 0;
}
