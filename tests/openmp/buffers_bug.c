/* SPDX-License-Identifier: MIT */
/* Swap bug.
 * expect: race UNSAFE */
#include <stdlib.h>
double *u, *v;
int main(void) {
  int n = 20;
  u = malloc(n * 8);
  v = malloc(n * 8);
  for (int t = 0; t < 2; t++) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i - 1] + u[i + 1];
    u = v;
  }
  return 0;
}
