/* SPDX-License-Identifier: MIT */
/* part: the sum of i*j over i = 1..n and j = 1..i*i */

#pragma TASS input {n >= 0}
int n = 4;
#pragma TASS output
int sum;

int main(void) {
  int i, j, s = 0;
#pragma TASS joint invariant OUTER true;
  for (i = 1; i <= n; i++)
#pragma TASS joint invariant INNER true;
    for (j = 1; j <= i * i; j++)
      s += i * j;
  sum = s;
  return 0;
}
