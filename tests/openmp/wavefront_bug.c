/* SPDX-License-Identifier: MIT */
/* A shared position is read outside of the critical region.
 * expect: race UNSAFE */
#include <stdlib.h>
int m = 64, n = 64;
void sim(int i, int j, int *H, int *P, int *maxPos) {
  int up, left, diag, index = m * i + j;
  up = H[index - m] - 2;
  left = H[index - 1] - 2;
  diag = H[index - m - 1] + ((i * j) % 3 ? 3 : -3);
  int max = 0;
  if (diag > max) { max = diag; }
  if (up > max) { max = up; }
  if (left > max) { max = left; }
  H[index] = max;
  if (max > H[*maxPos]) {
#pragma omp critical
    *maxPos = index;
  }
}
int main(void) {
  int *H = calloc(m * n, sizeof(int)), *P = calloc(m * n, sizeof(int)), maxPos = 0;
#pragma omp parallel default(none) shared(H, P, maxPos, m, n)
  for (int i = 1; i <= m + n - 3; ++i) {
    int lo = i < n ? 1 : i - n + 2, hi = i < m ? i : m - 1;
#pragma omp for
    for (int j = lo; j <= hi; ++j)
      if (i - j + 1 < n && i - j + 1 > 0) sim(i - j + 1, j, H, P, &maxPos);
  }
  free(H); free(P);
  return 0;
}
