/* SPDX-License-Identifier: MIT */
/* spec: mean_spec.c
 * expect: SAFE
 * expect: SAFE -DPARTS
 * expect: UNPROVED -DNO_BOUNDS
 * expect: UNSAFE invariant -DWRONG
 * native: none
 * what: the mean as it goes: every number moves it a little. In WRONG the
 *   weights are wrong. Without bounds (NO_BOUNDS) i + 1 may be 0 for all one
 *   knows, and i is not N at the end. */

#pragma TASS input {N >= 1}
int N = 6;
#pragma TASS output
double mean;

int main(void) {
#pragma TASS input
  double a[N];
  double m = 0;
  int i = 0;
#if defined PARTS
#pragma TASS joint invariant LOOP i == spec.i && 0 <= i && i <= N && \
  m*N == spec.s;
#elif defined NO_BOUNDS
#pragma TASS joint invariant LOOP i == spec.i && m*i == spec.s;
#else
#pragma TASS joint invariant LOOP i == spec.i && 0 <= i && i <= N && \
  m*i == spec.s;
#endif
  while (i < N) {
#if defined PARTS
    m = m + a[i] / N;
#elif defined WRONG
    m = m + (a[i] - m) / (i + 2);
#else
    m = m + (a[i] - m) / (i + 1);
#endif
    i++;
  }
  mean = m;
  return 0;
}
