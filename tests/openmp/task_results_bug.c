/* SPDX-License-Identifier: MIT */
/* … which nobody waits for.
 * expect: race UNSAFE */
#include <stdio.h>
#define N 8
static int ok(int row, int col, const int *b) {
  for (int i = 0; i < row; i++)
    if (b[i] == col || b[i] - col == row - i || col - b[i] == row - i) return 0;
  return 1;
}
static int solve(int row, const int *b) {
  if (row == N) return 1;
  int results[N];
  for (int c = 0; c < N; c++) {
    results[c] = 0;
    if (ok(row, c, b)) {
#pragma omp task shared(results) firstprivate(c)
      {
        int mine[N];
        for (int i = 0; i < row; i++) mine[i] = b[i];
        mine[row] = c;
        results[c] = solve(row + 1, mine);
      }
    }
  }

  int sum = 0;
  for (int c = 0; c < N; c++) sum += results[c];
  return sum;
}
int main(void) {
  int total = 0, board[N];
#pragma omp parallel
#pragma omp single
  total = solve(0, board);
  printf("%d\n", total);
  return 0;
}
