/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a negative number has a negative remainder */
extern int __VERIFIER_nondet_int(void);
static int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
int main(void) {
  return table[__VERIFIER_nondet_int() % 8] == 3;
}
