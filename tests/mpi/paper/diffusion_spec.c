/* SPDX-License-Identifier: MIT */
/* part: heat in a rod of NX cells between two fixed ends, N steps */

#ifndef NX
#define NX 10
#endif

#pragma TASS input {N >= 0}
int N = 20;
#pragma TASS input
double k = 0.25;
#pragma TASS input
double start[NX + 2];
#pragma TASS output
double result[NX + 2];

int main(void) {
  double u[NX + 2], old, next;
  int i, t = 0;
  for (i = 0; i < NX + 2; i++)
    u[i] = start[i];
#pragma TASS joint invariant STEP true;
  while (t < N) {
    old = u[0];
    for (i = 1; i <= NX; i++) {
      next = u[i] + k * (old + u[i + 1] - 2 * u[i]);
      old = u[i];
      u[i] = next;
    }
    t++;
  }
  for (i = 0; i < NX + 2; i++)
    result[i] = u[i];
  return 0;
}
