/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=UNSAFE
 * native: any
 * what: the middle of two indexes as (a + b) / 2 */
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0 || b < a)
    return 0;
  int mid = (a + b) / 2;
  return mid == 12345;
}
