/* SPDX-License-Identifier: MIT */
/* A private variable is another one; without OpenMP it is the same.
 * expect: compare UNSAFE */
#include <stdio.h>
int main(void) {
  int x = 5;
#pragma omp parallel private(x)
  x = 7;
  printf("%d\n", x);
  return 0;
}
