/* SPDX-License-Identifier: MIT */
/* The first column reads the last one of the row before.
 * expect: race UNSAFE */
#include <stdio.h>
int main(int argc, char *argv[]) {
  int n = 100, m = 100;
  double b[100][100];
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = 0;
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = b[i][j - 1];
  printf("%f\n", b[50][50]);
  return 0;
}
