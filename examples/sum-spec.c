/* SPDX-License-Identifier: MIT */
/* 0 + 1 + ... + (n - 1), step by step. */
#pragma heddle input {n >= 0}
int n = 10;
#pragma heddle output
int sum;

int main(void) {
  int i = 0, s = 0;
#pragma heddle invariant 0 <= i && i <= n && 2 * s == i * (i - 1)
  while (i < n) {
    s += i;
    i++;
  }
  sum = s;
  return 0;
}
