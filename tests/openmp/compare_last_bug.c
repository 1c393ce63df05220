/* SPDX-License-Identifier: MIT */
/* Who comes last decides; without OpenMP it is the last iteration.
 * expect: compare UNSAFE */
#include <stdio.h>
int main(void) {
  int last = 0;
#pragma omp parallel for
  for (int i = 0; i < 10; i++) {
#pragma omp critical
    last = i;
  }
  printf("%d\n", last);
  return 0;
}
