/* SPDX-License-Identifier: MIT */
/* The same at once; with -DWRONG something else. */
#pragma heddle input {n >= 0}
int n = 10;
#pragma heddle output
int sum;

int main(void) {
#ifdef WRONG
  sum = n * (n + 1) / 2;
#else
  sum = n * (n - 1) / 2;
#endif
  return 0;
}
