/* SPDX-License-Identifier: MIT */
/* spec: nested_spec.c
 * expect: SAFE
 * expect: UNPROVED -DWEAK
 * expect: UNSAFE invariant -DWRONG
 * native: none
 * what: the factor i is taken out of the inner sum. WEAK says nothing of the inner
 *   counters; WRONG forgets to start the inner sum again. */

#pragma TASS input {n >= 0}
int n = 4;
#pragma TASS output
int sum;

int main(void) {
  int i, j, s = 0, t = 0;
#pragma TASS joint invariant OUTER i == spec.i && s == spec.s;
  for (i = 1; i <= n; i++) {
#ifndef WRONG
    t = 0;
#endif
#ifdef WEAK
#pragma TASS joint invariant INNER i == spec.i && spec.s == s + i*t;
#else
#pragma TASS joint invariant INNER i == spec.i && j == spec.j && \
  spec.s == s + i*t;
#endif
    for (j = 1; j <= i * i; j++)
      t += j;
    s += i * t;
  }
  sum = s;
  return 0;
}
