/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: exit=139
 * what: calls through the null entry of a table of functions */
static int zero(void) {
  return 0;
}
static int one(void) {
  return 1;
}
static int (*table[4])(void) = {zero, one, zero};
int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += table[i]();
  return sum;
}
