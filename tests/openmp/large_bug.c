/* SPDX-License-Identifier: MIT */
/* A large array; only the inner loop is shared out.
 * expect: race UNSAFE */
double b[1000][1000];
int main(void) {
  int n = 1000, m = 1000;
  for (int i = 0; i < n; i++)
#pragma omp parallel for
    for (int j = 1; j < m; j++) b[i][j] = b[i][j - 1];
  return 0;
}
