/* SPDX-License-Identifier: MIT */
/* Heat spreads along a rod: each point becomes the mean of its neighbours. With
 * -DONE there is one array; else the new values go into another one. */
#include <stdio.h>
#define N 1000

static double rod[N], other[N];

int main(void) {
  double *next = other;
#ifdef ONE
  next = rod;
#endif
  rod[0] = 100;
  for (int step = 0; step < 50; step++) {
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
      next[i] = (rod[i - 1] + rod[i + 1]) / 2;
#ifndef ONE
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
      rod[i] = other[i];
#endif
  }
  printf("%g\n", rod[1]);
  return 0;
}
