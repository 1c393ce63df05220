/* SPDX-License-Identifier: MIT */
/* Two buffers that are swapped, of a size that is an argument.
 * expect: race SAFE */
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  if (n < 1)
    return 1;
  double(*u)[n] = malloc(sizeof(double[n][n])),
  (*v)[n] = malloc(sizeof(double[n][n])), (*t)[n];
  if (!u || !v)
    return 1;
  for (int r = 0; r < 50; r++) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
    t = u;
    u = v;
    v = t;
  }
  return 0;
}
