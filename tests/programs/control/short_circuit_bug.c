/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: exit=139
 * what: & instead of && evaluates both sides and reads through the null
 *   pointer */
static int test(int *p) {
  return (p != 0) & (*p == 3);
}
int main(void) {
  int x = 3;
  if (!test(&x))
    return 1;
  return test(0);
}
