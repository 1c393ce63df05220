/* SPDX-License-Identifier: MIT */
/* A task depends on nine of ten others by an iterator.
 * expect: race UNSAFE */
#include <stdio.h>
int v[10];
int main(void) {
  int s = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 10; i++)
#pragma omp task depend(out : v[i]) firstprivate(i)
      v[i] = i;
#pragma omp task depend(iterator(k = 0 : 9), in : v[k])
    for (int i = 0; i < 10; i++)
      s += v[i];
  }
  printf("%d\n", s);
  return 0;
}
