/* SPDX-License-Identifier: MIT */
/* part: the limit of the ratio of neighbours in Fibonacci's sequence */

#pragma TASS input {tol > 0}
double tol = 1e-9;
#pragma TASS output
double phi;

int main(void) {
  double i, j = 1, k = 1, p = 1, err = tol, tmp;
#pragma TASS joint invariant LOOP true;
  while (err >= tol) {
    i = j;
    j = k;
    k = i + j;
    tmp = k / j;
    if (tmp >= p)
      err = tmp - p;
    else
      err = p - tmp;
    p = tmp;
  }
  phi = p;
  return 0;
}
