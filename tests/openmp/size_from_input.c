/* SPDX-License-Identifier: MIT */
/* The size is anything, the array has as many elements.
 * expect: race SAFE */
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  double a[n][n];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = i + j;
  return a[0][0] > 0;
}
