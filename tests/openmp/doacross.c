/* SPDX-License-Identifier: MIT */
/* Iterations that wait for others, and touch what is theirs.
 * expect: race SAFE */
int a[20][20];
int main(void) {
#pragma omp parallel for ordered(2)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++) {
      a[i][j]++;
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#pragma omp ordered depend(source)
    }
  return 0;
}
