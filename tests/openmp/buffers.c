/* SPDX-License-Identifier: MIT */
/* Swap.
 * expect: race SAFE */
#include <stdlib.h>
double *u, *v;
int main(int argc, char **argv) {
  int n = argc * 10;
  u = malloc(n * 8);
  v = malloc(n * 8);
  for (int t = 0; t < 5; t++) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i - 1] + u[i + 1];
    double *x = u;
    u = v;
    v = x;
  }
  return 0;
}
