/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="6 45 24"
 * what: arrays of two and three dimensions, pointers to rows, parameters
 *   that are arrays */
#include <assert.h>
#include <stdio.h>
static int trace(int m[3][3]) {
  int t = 0;
  for (int i = 0; i < 3; i++)
    t += m[i][i];
  return t;
}
static int sum(int rows, int (*m)[3]) {
  int s = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 3; j++)
      s += m[i][j];
  return s;
}
int main(void) {
  int m[3][3], c[2][3][4] = {{{1}}, {[2] = {[3] = 23}}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = i + j;
  int(*row)[3] = m + 1;
  assert((*row)[2] == 3 && row[1][0] == 2 && &m[1][0] + 3 == &m[2][0]);
  row[0][1] += 27;
  assert(sizeof c == 96 && (char *)&c[1][2][3] - (char *)c == 92);
  assert(c[1][2][3] + c[0][0][0] == 24 && c[1][0][0] == 0);
  int t = trace(m) - 27;
  assert(t == 6 && sum(3, m) == 45 && sum(2, m + 1) == 42);
  printf("%d %d %d\n", t, sum(3, m), c[1][2][3] + 1);
  return 0;
}
