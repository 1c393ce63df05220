/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="15"
 * what: labels as values: a small interpreter that jumps through a table */
#include <assert.h>
#include <stdio.h>
int main(void) {
  static const unsigned char code[] = {0, 0, 1, 0, 1, 2};
  static void *const labels[] = {&&inc, &&twice, &&stop};
  int acc = 1, pc = 0;
  goto *labels[code[pc++]];
inc:
  acc++;
  goto *labels[code[pc++]];
twice:
  acc *= 2;
  goto *labels[code[pc++]];
stop:
  assert(acc == 14 && pc == 6);
  printf("%d\n", acc + 1);
  return 0;
}
