/* SPDX-License-Identifier: MIT */
/* part: the mean of N numbers: their sum, divided by N */

#pragma TASS input {N >= 1}
int N = 6;
#pragma TASS output
double mean;

int main(void) {
#pragma TASS input
  double a[N];
  double s = 0;
  int i = 0;
#pragma TASS joint invariant LOOP true;
  while (i < N) {
    s = s + a[i];
    i++;
  }
  mean = s / N;
  return 0;
}
