/* SPDX-License-Identifier: MIT */
/* A taskloop that reduces.
 * expect: race SAFE */
#include <stdio.h>
int main(void) {
  int s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s)
  for (int i = 0; i < 100; i++)
    s += i;
  printf("%d\n", s);
  return 0;
}
