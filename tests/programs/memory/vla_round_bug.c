/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: an array of variable size ends with each round */
int main(void) {
  int *last = 0;
  for (int n = 1; n < 3; n++) {
    int a[n];
    a[0] = n;
    if (n == 2)
      return *last - 1;
    last = a;
  }
  return 0;
}
