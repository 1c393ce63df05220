/* SPDX-License-Identifier: MIT */
/* spec: fib_spec.c
 * expect: SAFE
 * expect: UNPROVED -DWEAK
 * expect: UNSAFE invariant -DWRONG
 * native: none
 * what: the same with one variable less. WEAK does not say that p is the same, so
 *   the next error is not known to be; in WRONG the error keeps its sign. */

#pragma TASS input {tol > 0}
double tol = 1e-9;
#pragma TASS output
double phi;

int main(void) {
  double j = 1, k = 1, p = 1, err = tol;
#ifdef WEAK
#pragma TASS joint invariant LOOP err == spec.err && j > 0 && \
  j == spec.j && k == spec.k && k > 0;
#else
#pragma TASS joint invariant LOOP err == spec.err && p == spec.p && j > 0 && \
  j == spec.j && k == spec.k && k > 0;
#endif
  while (err >= tol) {
    k = j + k;
    j = k - j;
    err = k / j - p;
    p = err + p;
#ifndef WRONG
    if (err < 0)
      err = -err;
#endif
  }
  phi = p;
  return 0;
}
