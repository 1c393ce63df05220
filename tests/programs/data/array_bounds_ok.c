/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: every index is in bounds for every input */
#include <assert.h>
#include <heddle.h>
extern int __VERIFIER_nondet_int(void);
static int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
int main(void) {
  int i = __VERIFIER_nondet_int();
  int a = table[i & 7];
  int b = i >= 0 ? table[i % 8] : 0;
  int c = table[heddle_nondet_int(0, 7)];
  assert(a >= 1 && b <= 128 && (c & (c - 1)) == 0);
  return 0;
}
