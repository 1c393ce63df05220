/* SPDX-License-Identifier: MIT */
/* … and tasks that are not.
 * expect: race UNSAFE */
#include <stdio.h>
int main(void) {
  int i, var = 0;
#pragma omp parallel sections
  {
    for (i = 0; i < 10; i++)
#pragma omp task shared(var)
    { var++; }
  }
  printf("%d\n", var);
  return 0;
}
