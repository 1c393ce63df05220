/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a variable-length array in main's first block is kept beyond its own */
int main(void) {
  int n = 2, zero = 0, *kept = &zero;
  {
    int a[n];
    a[0] = 1;
    kept = a;
  }
  return *kept;
}
