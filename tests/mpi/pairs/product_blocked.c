/* SPDX-License-Identifier: MIT */
/* spec: product_spec.c
 * expect: SAFE
 * expect: SAFE -DN=6
 * expect: UNSAFE assert -DBROKEN
 * native: none
 * what: the product of two matrices block by block: the same sums in another
 *   order. In BROKEN the last column of every block is left out. */

#ifndef N
#define N 4
#endif
#define BLOCK 2

#pragma heddle input
double A[N][N];
#pragma heddle input
double B[N][N];
#pragma heddle output
double C[N][N];

static void multiply(int row, int column, int middle) {
#ifdef BROKEN
  const int last = BLOCK - 1;
#else
  const int last = BLOCK;
#endif
  for (int k = middle; k < middle + BLOCK; k++)
    for (int i = row; i < row + BLOCK; i++)
      for (int j = column; j < column + last; j++)
        C[i][j] += A[i][k] * B[k][j];
}

int main(void) {
  for (int i = 0; i < N; i += BLOCK)
    for (int j = 0; j < N; j += BLOCK)
      for (int k = 0; k < N; k += BLOCK)
        multiply(i, j, k);
  return 0;
}
