/* SPDX-License-Identifier: MIT */
/* part: the product of two matrices, row by row */

#ifndef N
#define N 4
#endif

#pragma heddle input
double A[N][N];
#pragma heddle input
double B[N][N];
#pragma heddle output
double C[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int k = 0; k < N; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
  return 0;
}
