/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: each round of a loop has its own variable */
int main(void) {
  int *before = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    int x = i;
    if (before)
      sum += *before;
    before = &x;
  }
  return sum > 100;
}
