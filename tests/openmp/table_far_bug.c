/* SPDX-License-Identifier: MIT */
/* Subscripts out of a table, of which two meet.
 * expect: race UNSAFE */
#include <stdlib.h>
#define N 90
int indexSet[N];
int main(void) {
  for (int i = 0; i < N; i++) indexSet[i] = 521 + 2 * i;
  indexSet[50] = indexSet[20] + 12;
  double *base = (double *)malloc(sizeof(double) * 2026);
  double *xa1 = base, *xa2 = base + 12;
  for (int i = 0; i < 2026; ++i) base[i] = 0.5 * i;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < N; ++i) { int idx = indexSet[i]; xa1[idx] += 1.0 + i; xa2[idx] += 3.0 + i; }
  free(base);
  return 0;
}
