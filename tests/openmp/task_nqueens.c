/* SPDX-License-Identifier: MIT */
/* N queens: a task for each place in a row, each with its own board, from the heap.
 * expect: race SAFE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int count;
static int fits(const char *board, int row, int column) {
  for (int i = 0; i < row; i++) {
    int other = board[i];
    if (other == column || other == column - (row - i) || other == column + (row - i))
      return 0;
  }
  return 1;
}
static void place(int n, int row, const char *board) {
  if (row == n) {
#pragma omp atomic
    count++;
    return;
  }
  for (int column = 0; column < n; column++) {
    if (!fits(board, row, column))
      continue;
    char *next = malloc(n);
    memcpy(next, board, row);
    next[row] = (char)column;
#pragma omp task firstprivate(next)
    {
      place(n, row + 1, next);
      free(next);
    }
  }
#pragma omp taskwait
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 6;
  char *board = malloc(n);
#pragma omp parallel
#pragma omp single
  place(n, 0, board);
  free(board);
  printf("%d\n", count);
  return 0;
}
