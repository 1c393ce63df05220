/* SPDX-License-Identifier: MIT */
/* Tasks that are executed at once.
 * expect: race SAFE */
#include <stdio.h>
int main(void) {
  int i, var = 0;
#pragma omp parallel sections
  {
    for (i = 0; i < 10; i++)
#pragma omp task shared(var) if (0)
    { var++; }
  }
  printf("%d\n", var);
  return 0;
}
