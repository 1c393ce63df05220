/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="10 20"
 * what: variable length arrays, one for each round of a loop, two-
 *   dimensional ones */
#include <assert.h>
#include <stdio.h>
static int fill(int n) {
  int v[n], s = 0;
  for (int i = 0; i < n; i++)
    v[i] = i;
  for (int i = 0; i < n; i++)
    s += v[i];
  assert(sizeof v == n * sizeof(int));
  return s;
}
int main(void) {
  int total = 0;
  for (int n = 1; n <= 4; n++)
    total += fill(n);
  int rows = 2, cols = 5;
  int m[rows][cols];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      m[i][j] = i * j;
  assert(total == 10 && sizeof m[1] == 20 && m[1][4] == 4);
  printf("%d %zu\n", total, sizeof m[0]);
  return 0;
}
